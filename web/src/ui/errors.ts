// A failure in words a person can act on: ours, in their language; in English the server's where those say more.

import { ApiError } from "../api/client";
import { isWord, type Translate } from "../i18n";
import { EXACT } from "../i18n/errors";

export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t("error.internal");
  const { code, status, message } = error;
  if (t.language === "en" && EXACT.has(code)) return message;
  const key = `error.${code}`;
  if (isWord(key)) return t(key);
  if (status === 0) return t("refused.unreachable");
  return status >= 500 ? t("error.internal") : t("refused.other", { code });
}
