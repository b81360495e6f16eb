// Chooses the page for the address and keeps language and theme on the root element.

import { useEffect } from "react";
import { GuidePage } from "./guide/GuidePage";
import { useLanguage } from "./i18n";
import { Lobby } from "./lobby/Lobby";
import { ReplayPage } from "./replay";
import { useRoute } from "./router";
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
  const id = route.page === "lobby" ? "" : route.id;
  return (
    <Mishap key={`${route.page}/${id}`}>
      {route.page === "table" && <TablePage id={id} />}
      {route.page === "record" && <ReplayPage id={id} />}
      {route.page === "rules" && <GuidePage name={id} />}
      {route.page === "lobby" && <Lobby />}
    </Mishap>
  );
}
