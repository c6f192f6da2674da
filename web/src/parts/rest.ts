// What was given up, the studies, what to do next, and how it was made.
import { figure, h, name, number, plural, prose, replace, section } from "../dom";
import { letter } from "../drawing";
import type { State } from "../state";
import type { GivenUp, Next, NextSteps, Said, View } from "../view";

export function givenUp(view: View): HTMLElement {
  const { given_up: repair, other_repair: other } = view;
  if (view.consistent === false) {
    return section(
      "conflicts",
      "Why there is none",
      h("p", {}, view.conflict.length ? "These statements cannot hold together; without any one of them the others can." : "What was known or assumed contradicts itself."),
      statements(view.conflict),
    );
  }
  if (repair === null) {
    const text = view.settings["conflicts"] === "repair" ? "Nothing had to be given up: the statements do not contradict each other." : "Every statement holds in every structure: none may be given up.";
    return section("conflicts", "Given up", h("p", { class: "empty" }, text));
  }
  const cost = repair.cost === null ? "" : `a total weight of ${figure(repair.cost)}, ${repair.proven ? "the least possible" : `the best found in time (at least ${figure(repair.bound)} is needed)`}`;
  return section(
    "conflicts",
    "Given up",
    h("p", {}, `The statements contradict each other. Given up: ${cost}. `, repair.unique === true ? "No other repair is as light." : repair.unique === false ? "Several repairs are equally light." : ""),
    statements(repair.statements),
    other && h("div", {}, h("h3", {}, "Another way out"), h("p", {}, otherText(other)), statements(other.statements), changes(other)),
  );
}

function statements(all: Said[]): HTMLElement {
  return h(
    "ul",
    { class: "statements" },
    ...all.map((one) => h("li", {}, ...prose(one.text), one.always === false && " ", one.always === false && h("span", { class: "tag" }, "not in every repair"))),
  );
}

function otherText(other: GivenUp): string {
  return `The next best repair costs ${other.cost === null ? "an unknown weight" : figure(other.cost)} and gives these up instead:`;
}

function changes(other: GivenUp): HTMLElement {
  const list = (title: string, edges: string[]) => (edges.length ? h("p", {}, h("strong", {}, `${title}: `), ...prose(edges.join("; "))) : null);
  const none = other.no_longer_certain.length + other.newly_certain.length === 0;
  return h("div", {}, list("No longer in all structures", other.no_longer_certain), list("Then in all structures", other.newly_certain), none && h("p", { class: "quiet" }, "The same edges would be in all structures."));
}

// -- the studies -------------------------------------------------------------------------------------------------------

export function studies(view: View): HTMLElement {
  const head = view.studies.map((study, i) => h("th", { scope: "col", title: study.name }, h("span", { class: `badge study-${i % 8}` }, letter(i))));
  const rows = view.variables.map((text, v) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name(text)),
      ...view.studies.map((study, i) => {
        const measured = study.variables.includes(v);
        const wasSet = study.was_set.includes(v);
        return h("td", { class: measured ? `in study-${i % 8}` : "out", title: `${text}: ${wasSet ? "set" : measured ? "measured" : "not measured"} in ${study.name}` }, h("span", { class: "unseen" }, wasSet ? "set" : measured ? "measured" : "not measured"), wasSet ? h("span", { "aria-hidden": "true" }, "set") : null);
      }),
    ),
  );
  return section(
    "studies",
    "The studies",
    h(
      "div",
      { class: "side" },
      h(
        "div",
        {},
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Studies" }, h(
          "table",
          { class: "list" },
          h("thead", {}, h("tr", {}, ...["Letter", "Study", "Rows", "Variables", "Statements", "Set by the experimenter"].map((text, i) => h("th", { scope: "col", class: i > 1 && i < 5 ? "figure" : "" }, i ? text : h("span", { class: "unseen" }, text))))),
          h(
            "tbody",
            {},
            ...view.studies.map((study, i) =>
              h(
                "tr",
                {},
                h("td", {}, h("span", { class: `badge study-${i % 8}` }, letter(i))),
                h("th", { scope: "row" }, h("bdi", { class: "name" }, study.name)),
                h("td", { class: "figure" }, study.rows === null ? "–" : number(study.rows)),
                h("td", { class: "figure" }, number(study.variables.length)),
                h("td", { class: "figure" }, number(study.statements)),
                h("td", {}, study.was_set.map((v) => view.variables[v]).join(", ") || "nothing"),
              ),
            ),
          ),
        )),
        h("h3", {}, "Variables that two studies share"),
        shared(view),
      ),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Overlap of the studies" }, h("table", { class: "overlap" }, h("caption", {}, `Who measured what; ${plural(view.shared.length, "variable is", "variables are")} in every study`), h("thead", {}, h("tr", {}, h("td", {}), ...head)), h("tbody", {}, ...rows))),
    ),
  );
}

function shared(view: View): HTMLElement {
  if (view.studies.length < 2) return h("p", { class: "empty" }, "There is one study only.");
  const most = Math.max(1, ...view.studies.map((one) => one.variables.length));
  const cell = (i: number, j: number) => {
    const common = view.studies[i]!.variables.filter((v) => view.studies[j]!.variables.includes(v));
    const td = h("td", { title: common.map((v) => view.variables[v]).join(", ") || "none" }, String(common.length));
    td.style.setProperty("--heat", `${Math.round((60 * common.length) / most)}%`);
    return td;
  };
  return h(
    "table",
    { class: "shared" },
    h("thead", {}, h("tr", {}, h("td", {}), ...view.studies.map((_, j) => h("th", { scope: "col" }, h("span", { class: `badge study-${j % 8}` }, letter(j)))))),
    h("tbody", {}, ...view.studies.map((_, i) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: `badge study-${i % 8}` }, letter(i))), ...view.studies.map((_, j) => cell(i, j))))),
  );
}

// -- what to do next ---------------------------------------------------------------------------------------------------

const NEXT = "What to do next";

export function nextSteps(state: State): HTMLElement {
  const body = h("div");
  const asking = h("p", { class: "quiet", role: "status" });

  function refresh(): void {
    const steps = state.next;
    const waiting = steps === undefined && !state.gone;
    body.classList.toggle("stale", waiting);
    asking.textContent = !waiting ? "" : state.trouble ? "Of the suppositions before: the solver does not answer." : "working it out …";
    if (!waiting) replace(body, ...advice(steps ?? null, state.base.view.graphs.complete, state.live && state.suppositions.length > 0));
  }

  state.listen((what) => (what === "suppositions" || what === "asked") && state.live && refresh());
  refresh();
  return section("next", NEXT, asking, body);
}

function advice(steps: NextSteps | null, complete: boolean, supposing: boolean): HTMLElement[] {
  if (steps === null || steps.structures === 0) return [h("p", { class: "empty" }, "There is no structure to tell apart.")];
  if (steps.structures === 1 && complete) return [h("p", { class: "empty" }, "There is one consistent structure: nothing is left to tell apart.")];
  const bar = (share: number) => {
    const inner = h("i", { class: "fill other" });
    inner.style.width = `${100 * share}%`;
    return h("span", { class: "track", "aria-hidden": "true" }, inner);
  };
  // Of a sample one is always left, however many there are of all: there a share is told.
  const left = (row: Next) => (steps.exact ? decimal(row.expected) : share(row.share));
  const worst = (row: Next) => (steps.exact ? number(row.worst) : share(row.worst / steps.structures));
  const what = steps.exact ? `how many of ${number(steps.structures)} structures (${steps.how}) would be left` : `which share of all structures would be left, by ${steps.how}`;
  return [
    h("p", { class: "lead" }, `${supposing ? `With what is supposed: ${what}` : what.charAt(0).toUpperCase() + what.slice(1)}, each taken as equally likely and for tests that make no mistakes.`),
    steps.rows.length === 0
      ? h("p", { class: "empty" }, "Nothing that could be measured or randomised would tell them apart.")
      : h(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of what to do next" },
          h(
            "table",
            { class: "list" },
            h("thead", {}, h("tr", {}, ...["What to do", "Left on average", "as a bar", "At worst", "Outcomes", "Bits"].map((text, i) => h("th", { scope: "col", class: i ? "figure" : "" }, i === 2 ? h("span", { class: "unseen" }, text) : text)))),
            h(
              "tbody",
              {},
              ...steps.rows.map((row) =>
                h("tr", {}, h("th", { scope: "row" }, ...prose(row.text)), h("td", { class: "figure" }, left(row)), h("td", { class: "bars" }, bar(row.share)), h("td", { class: "figure" }, worst(row)), h("td", { class: "figure" }, number(row.outcomes)), h("td", { class: "figure" }, row.bits.toFixed(2))),
              ),
            ),
          ),
        ),
    h(
      "p",
      { class: "quiet" },
      [
        steps.left_out ? `${number(steps.left_out)} weaker ones are left out.` : "",
        steps.useless ? `${plural(steps.useless, "other thing", "other things")} to do would tell nothing.` : "",
        steps.reference ? `For comparison, without an experiment: ${steps.reference.text} would leave ${left(steps.reference)}.` : "",
      ].filter(Boolean).join(" "),
    ),
  ];
}

function decimal(value: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** A share that may be very small, with two digits: as share_in_words in suggest.py. */
function share(value: number): string {
  if (value < 1e-5) return "< 0.001 %";
  return `${(100 * value).toFixed(Math.max(0, 1 - Math.floor(Math.log10(100 * value))))} %`;
}

// -- how it was made ---------------------------------------------------------------------------------------------------

export function about(view: View): HTMLElement {
  const list = (entries: [string, unknown][]) => h("dl", {}, ...entries.flatMap(([term, value]) => [h("dt", {}, term.replaceAll("_", " ")), h("dd", {}, value === true ? "yes" : value === false ? "no" : value === null ? "–" : String(value))]));
  const said = (title: string, all: string[]) => (all.length ? h("div", {}, h("h3", {}, title), h("ul", {}, ...all.map((one) => h("li", {}, ...prose(one))))) : null);
  return section(
    "about",
    "How it was made",
    h(
      "div",
      { class: "side" },
      h("div", {}, h("h3", {}, "Settings"), list(Object.entries(view.settings))),
      h(
        "div",
        {},
        h("h3", {}, "Versions"),
        list(Object.entries(view.versions)),
        said("Known beforehand", view.known),
        said("Assumed", view.assumed),
        view.bootstrap && h("p", {}, `${plural(view.bootstrap[0], "bootstrap run", "bootstrap runs")}, ${number(view.bootstrap[1])} of them with an answer.`),
      ),
    ),
  );
}
