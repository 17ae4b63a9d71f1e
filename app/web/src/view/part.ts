// Which components are drawn again. The state is handed down from the top; a part that read nothing of what has changed
// stays as it is, with all that hangs below it.
import { Component, h, type ComponentClass, type JSX } from "preact";
import type { State } from "../app/state";

const whole = Symbol("the state behind a view of it");

/** differs says whether two components were given different things, leaving the state out. */
function differs(a: object, b: object): boolean {
  const [one, two] = [a, b] as Record<string, unknown>[];
  const keys = Object.keys(one);
  return keys.length !== Object.keys(two).length || keys.some((key) => key !== "s" && one[key] !== two[key]);
}

/** same makes a component that is drawn again only when it is given something else. It must read no state. */
export function same<P extends object>(draw: (props: P) => JSX.Element): ComponentClass<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return differs(next, this.props);
    }
    override render(): JSX.Element {
      return draw(this.props);
    }
  };
}

/**
 * part makes a component that is drawn again only when something it has read of the state has changed. It is handed a view
 * that notes what is read; parts inside it read through that view, so what they need it needs too. Whatever else decides
 * what is drawn must stand in the state, or in a hook of the component.
 */
export function part<P extends { s: State }>(draw: (props: P) => JSX.Element | null): ComponentClass<P> {
  return class extends Component<P> {
    private given = this.props.s; // the state, or the view of the part around this one
    private now = stateBehind(this.props.s);
    private read = new Set<keyof State>();
    private view = new Proxy(this.now, {
      get: (_, key: keyof State | typeof whole) => {
        if (key === whole) return this.now;
        this.read.add(key);
        return this.given[key];
      },
    });

    override shouldComponentUpdate(next: P): boolean {
      const before = this.now;
      this.given = next.s;
      this.now = stateBehind(next.s);
      return differs(next, this.props) || [...this.read].some((key) => this.now[key] !== before[key]);
    }
    override render(): JSX.Element {
      return h(draw, { ...this.props, s: this.view });
    }
  };
}

const stateBehind = (s: State): State => (s as State & { [whole]?: State })[whole] ?? s;
