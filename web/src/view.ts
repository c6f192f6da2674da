// The value that weft.report.document makes, as it stands in the page. Names are Python's.

export type Holds = "all" | "some" | "none" | "unknown";
export type Topic = "adjacent" | "edge" | "causes" | "confounded";
/** An edge, read from x to y; the one that points at x is "->" with the two swapped. */
export type Symbol = "->" | "<->" | "--";

export interface Study {
  name: string;
  rows: number | null;
  variables: number[];
  was_set: number[];
  statements: number;
}

/** A claim about two variables, and what is known of it; one that is not listed holds in no structure. */
export interface Finding {
  topic: Topic;
  x: number;
  y: number;
  /** For an edge: which. */
  symbol?: Symbol;
  holds: Holds;
  /** The share of the structures in which it holds. */
  share: number | null;
  /** The shares of the bootstrap runs in which it holds in all, in some, in none of the structures. */
  again: [number, number, number] | null;
  /** How sure it is, from 0 to 1; null where that was not worked out. */
  confidence: number | null;
  /** Whether that goes by an estimated margin. */
  estimated?: boolean;
}

/** A claim that is told first, as it is stated: surer than its opposite. */
export interface Told extends Finding {
  claim: string;
  /** Whether it is claimed, or denied. */
  claimed: boolean;
  /** What is added to a claim that is only likely, since some structures of least cost deny it; else empty. */
  though: string;
  reason: Reason | null;
}

export interface Said {
  text: string;
  kind: string;
  study: string | null;
  source: string | null;
  p_value: number | null;
  rows: number | null;
  weight: number | null;
  /** Of what was given up: whether every repair gives it up. */
  always?: boolean | null;
}

export interface Reason {
  topic: Topic;
  x: number;
  y: number;
  symbol?: Symbol;
  claim: string;
  verdict: "certain" | "possible" | "impossible" | "unknown" | "contradiction";
  /** How sure the verdict is. */
  confidence: number | null;
  lead: string;
  statements: Said[];
  /** Which of the statements is the weakest link. */
  weakest: number | null;
  others: string[];
  close: string[];
  left_out: number;
}

export interface GivenUp {
  cost: number | null;
  bound: number;
  proven: boolean;
  unique: boolean | null;
  statements: Said[];
  no_longer_certain: string[];
  newly_certain: string[];
}

export interface Next {
  text: string;
  kind: string;
  variables: string[];
  variable: string | null;
  study: string | null;
  expected: number;
  share: number;
  worst: number;
  outcomes: number;
  bits: number;
}

export interface NextSteps {
  rows: Next[];
  reference: Next | null;
  structures: number;
  exact: boolean;
  how: string;
  useless: number;
  left_out: number;
}

/** One way in which an effect is known, or not. */
export interface EffectCase {
  kind: "zero" | "adjusted" | "composed" | "not identified";
  share: number;
  confidence: number | null;
  effect: number | null;
  low: number | null;
  high: number | null;
  text: string;
}

/** How large the effect of x on y is. */
export interface Effect {
  x: number;
  y: number;
  sentence: string;
  per: string;
  of: string;
  structures: number;
  /** Whether these are all structures, or drawn fairly from them. */
  fair: boolean;
  cases: EffectCase[];
}

export type Point = [number, number];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  lines: string[];
}

/** The layout of all pictures (weft.report.picture_layout). */
export interface Layout {
  boxes: Box[];
  courses: { x: number; y: number; points: Point[] }[];
  scale: number;
}

export interface View {
  format: string;
  title: string;
  lead: string[];
  claims: Told[];
  glossary: Record<string, string>;
  headline: string;
  answer: string[];
  variables: string[];
  studies: Study[];
  shared: number[];
  consistent: boolean | null;
  settled: boolean;
  certain: string[];
  possible: string[];
  findings: Finding[];
  layout: Layout;
  graphs: {
    mags: number;
    pags: number;
    complete: boolean;
    /** How many there are, if those shipped were drawn fairly; else null. */
    drawn_from: { mags: number; exact: boolean; text?: string } | null;
    planes: number;
    columns: string;
    class_sizes: number[];
    pag_marks: string;
    confounding: { x: number; y: number; can: string; can_lack: string }[];
    confounding_known: boolean;
  };
  reasons: Reason[];
  unexplained: number;
  given_up: GivenUp | null;
  other_repair: GivenUp | null;
  near_tie: boolean;
  conflict: Said[];
  next_steps: NextSteps | null;
  warnings: string[];
  known: string[];
  assumed: string[];
  bootstrap: [number, number] | null;
  /** Of the causes that are claimed, the surest first; null if the tables were not at hand. */
  effects: Effect[] | null;
  /** Why there are none. */
  no_effects: string;
  settings: Record<string, string | number | boolean | null>;
  versions: Record<string, string>;
  /** Tables to save, packed. */
  tables: { claims: string; pairs: string };
}

/** A line of one of two pictures that stand side by side. */
export interface BesideLine {
  x: number;
  y: number;
  mark_x: number;
  mark_y: number;
  share: number;
  certain: boolean;
  confidence: number | null;
}

/** A claim about which two results differ: how sure it is there and here. */
export interface Change {
  claim: string;
  before: number | null;
  after: number | null;
}

/** Another result beside that of the page (weft.report.beside). */
export interface Beside {
  /** What the other result and this one are called. */
  labels: [string, string];
  variables: string[];
  layout: Layout;
  lines: [BesideLine[], BesideLine[]];
  /** For either, the variables that it is not about. */
  absent: [number[], number[]];
  /** How many lines are too rare to be drawn. */
  left_out: [number, number];
  /** For either, what stands in its picture if it has no line. */
  empty: [string, string];
  changes: Change[];
  reasons: string[];
  gained: string[];
  lost: string[];
  reweighed: { statement: string; before: number | null; after: number | null }[];
}

/** What suppositions change in a view. */
export type Part = Pick<View, "headline" | "answer" | "consistent" | "settled" | "certain" | "possible" | "findings" | "graphs" | "assumed">;
