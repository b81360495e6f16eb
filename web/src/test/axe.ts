// An accessibility check of what a test has drawn; colours and layout are checked in a real browser.

import axe from "axe-core";

export async function seriousFindings(container: Element): Promise<string[]> {
  const results = await axe.run(container, { rules: { "color-contrast": { enabled: false }, region: { enabled: false } } });
  return results.violations
    .filter((each) => each.impact === "serious" || each.impact === "critical")
    .map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" ")}`);
}
