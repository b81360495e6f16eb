// Chooses the page for the address and keeps language and theme on the root element.

import { useEffect } from "react";
import { GuidePage } from "./guide/GuidePage";
import { HistoryPage } from "./history/HistoryPage";
import { useLanguage } from "./i18n";
import { Lobby } from "./lobby/Lobby";
import { ReplayPage } from "./replay";
import { hashOf, useRoute } from "./router";
import { TablePage } from "./table/TablePage";
import { useApplyTheme } from "./theme/theme";
import { Mishap } from "./shell/Mishap";

export function App() {
  const route = useRoute();
  const language = useLanguage();
  useApplyTheme();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const id = "id" in route ? route.id : "";
  return (
    <Mishap key={hashOf(route)}>
      {route.page === "table" && <TablePage id={id} />}
      {route.page === "record" && <ReplayPage id={id} ply={route.ply} />}
      {route.page === "rules" && <GuidePage name={id} />}
      {route.page === "history" && <HistoryPage />}
      {route.page === "lobby" && <Lobby />}
    </Mishap>
  );
}
