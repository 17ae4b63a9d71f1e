// The shapes that cross files: what the server sends, and what a person keeps.

/** Tier colours by name; css/tokens.css gives each a fill, a mark and a text colour. No blue: blue is the pencil. */
export const palette = ["beet", "tomato", "apricot", "sage", "stone", "teal", "plum", "cocoa"] as const;
export type Colour = (typeof palette)[number];

export interface Item {
  item: string;
  name: string;
  emoji?: string;
  group?: string;
  groups?: string[]; // all of them; group is the first
  year?: number;
  picture?: string; // a file of this server, or an address elsewhere, which is not fetched
  link?: string;
  ids?: string[]; // in other catalogues: "imdb:tt0133093"
  support?: number;
}

export interface Tier {
  id: string;
  name: string;
  colour: Colour;
  items: string[];
}

/** TierLook is how a tier is called and coloured, whatever lies in it. */
export type TierLook = Pick<Tier, "name" | "colour">;

/** List is everything undo covers. `never`: out of the tray, still recommended. `hidden`: neither. */
export interface List {
  title: string;
  tiers: Tier[];
  never: string[];
  hidden: string[];
  want?: string[]; // to try some day; they stay in the tray and are recommended
}

/** Guess is what the model says of one item. The odds speak of the tiers named in `tiers_used`, best first. */
export interface Guess {
  rank: number;
  item: string;
  name: string;
  score: number;
  tier: number | null;
  tier_probs: number[] | null;
  gap_probs: number[] | null;
  interest?: number | null; // probability that the person would pick it at all; null for a model of taste alone
  support?: number;
}

export interface Advice {
  items: Guess[];
  tiers_used: number[];
  unknown: string[] | null;
  general: boolean;
  model: string;
}

export interface Part {
  item: string;
  name: string;
  tier: number;
  part: number;
}

export interface Explanation {
  item: string;
  name: string;
  score: number;
  base: number;
  ties: number;
  parts: Part[];
  sum: number;
  approximate: boolean;
  interest?: { parts: Part[]; base: number; sum: number; probability: number | null } | null;
  balanced?: { score: number; strength: number } | null; // null for a model that lacks taste or interest: of interest alone, parts and sum are those of interest
  tier_probs?: number[] | null;
  gap_probs?: number[] | null;
  tiers_used?: number[];
}

export interface TasteMap {
  person: { x: number; y: number };
  ring: { x: number; y: number; rx: number; ry: number; angle: number }; // degrees, from the x axis towards the y axis
  items: { item: string; x: number; y: number }[];
  regions?: { item: string; name: string; x: number; y: number; items: number }[]; // each with the item that stands for it
  kept: number;
  directions: number;
  of: number;
}

export interface Bin {
  p: number;
  observed: number;
  low: number;
  high: number;
  count: number;
}

export interface Unit {
  unit: number;
  share: number | null; // of the people; null where it is not known
  up: { item: string; name: string }[];
  down: { item: string; name: string }[];
}

export interface ModelFacts {
  id: string;
  facts: {
    model: string;
    seed?: number;
    people?: number;
    items?: number;
    placements?: number;
    hidden?: number;
    units?: string;
    version?: string;
    fingerprint?: string;
    synthetic?: boolean;
    title?: string;
    interest?: boolean; // it has the probability of a pick beside the order of places
    taste?: boolean;
    training_s?: number | null; // null where it is not known
  };
  curves?: Curves | null;
  calibration?: { bins: Bin[]; even?: Bin[] | null; ece: number; events: number } | null;
  units?: Unit[] | null;
}

export interface Curves {
  epoch: number[];
  distance?: number[] | null;
  log_likelihood?: number[] | null;
  ndcg10?: number[] | null;
  item_mean_ndcg10?: number | null;
  accept?: Record<string, number[]> | null;
}

/** SavedList is a list as the server keeps it. */
export interface SavedList {
  title: string;
  tiers: { name: string; colour: string; items: string[] }[];
  unranked?: string[] | null;
  hidden?: string[] | null;
  guesses?: boolean;
  updated?: string;
}

/** Choice is a name that several items fit, and the tier that it belongs in; -1 for one that was only seen. */
export interface Choice {
  text: string;
  line: number;
  tier: number;
  items: { item: string; name: string }[];
}
