// A button that opens a recorded game from a file on the replay page.

import { useRef, useState } from "react";
import { api } from "../api/client";
import { useT } from "../i18n";
import { go } from "../router";
import { errorText } from "../ui/errors";
import { FileProblem, firstRecord, LARGEST, textOf } from "./files";

/** Files of many games may be larger than a record: only the first game is sent. */
const LARGEST_FILE = 50 * LARGEST;

export function Upload({ label, small = false }: { label: string; small?: boolean }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const open = async (file: File) => {
    setProblem(null);
    setBusy(true);
    try {
      if (file.size > LARGEST_FILE) throw new FileProblem("uploadTooBig");
      const { record } = firstRecord(await textOf(file));
      const answer = await api.uploadRecord(record);
      go({ page: "record", id: answer.record });
    } catch (error) {
      const why = error instanceof FileProblem ? t(`replay.${error.reason}`) : errorText(error, t);
      setProblem(t("replay.uploadBroken", { why }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button
        type="button"
        className={small ? "button small" : "button"}
        disabled={busy}
        onClick={() => input.current?.click()}
      >
        {busy ? t("replay.uploading") : label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,.jsonl,.ndjson,application/json"
        aria-label={label}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) void open(file);
        }}
      />
      {problem !== null && (
        // At the bottom of a phone's page it would appear below what stays there.
        <p className="notice bad upload-problem" role="alert" ref={(line) => void line?.scrollIntoView?.({ block: "center" })}>
          {problem}{" "}
          <button type="button" className="button quiet small" onClick={() => setProblem(null)}>
            {t("app.close")}
          </button>
        </p>
      )}
    </>
  );
}
