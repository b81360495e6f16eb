// The frame of every page: header with the name, what the page adds to it, and the settings; then the content.

import { type ReactNode, useEffect } from "react";
import { useT } from "../i18n";
import { Logo } from "./Logo";
import { SettingsMenu } from "./SettingsMenu";
import "./page.css";

interface PageProps {
  /** Shown beside the name, for instance game and series. */
  header?: ReactNode;
  /** Buttons at the right, before the settings. */
  actions?: ReactNode;
  title?: string;
  wide?: boolean;
  children: ReactNode;
}

export function Page({ header, actions, title, wide = false, children }: PageProps) {
  const t = useT();
  useEffect(() => {
    document.title = title ? `${title} · Kiebitz` : "Kiebitz";
  }, [title]);
  return (
    <div className={wide ? "page wide" : "page"}>
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        {t("app.skip")}
      </a>
      <header className="page-header">
        <a className="brand" href="#/" aria-label={t("app.home")}>
          <Logo />
          <span className="brand-name">Kiebitz</span>
        </a>
        <div className="page-header-middle">{header}</div>
        <div className="page-header-actions">
          {actions}
          <SettingsMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
