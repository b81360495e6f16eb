// A failure in words a person can act on: ours where we have them in their language, else what the server said.

import { ApiError } from "../api/client";
import { isWord, type Translate } from "../i18n";

export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t("error.server");
  const byCode = `error.${error.code}`;
  if (isWord(byCode)) return t(byCode);
  const byStatus = `error.status_${error.status}`;
  if (error.status !== 422 && isWord(byStatus)) return t(byStatus);
  if (error.status >= 500) return t("error.server");
  return error.message;
}
