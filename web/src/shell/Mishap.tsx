// Catches failures of the page itself, so that nobody is left with an empty screen.

import { Component, type ReactNode } from "react";
import { useT } from "../i18n";
import { Page } from "./Page";

export class Mishap extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <Sorry /> : this.props.children;
  }
}

function Sorry() {
  const t = useT();
  return (
    <Page>
      <div className="sorry card" role="alert">
        <h1>{t("app.mishap")}</h1>
        <p>{t("app.mishap.help")}</p>
        <div>
          <button type="button" className="button primary" onClick={() => location.reload()}>
            {t("app.reload")}
          </button>{" "}
          <a className="button" href="#/">
            {t("app.back")}
          </a>
        </div>
      </div>
    </Page>
  );
}
