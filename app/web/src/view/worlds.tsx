// The choice of a world, where the server has several: foods or films. Each has a port of its own on the machine of the server, and so
// its own lists. Through a proxy or from another machine only the one world is reached, and nothing is offered.
import { h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as api from "../app/api";

const pause = 1000; // ms between two looks whether it is ready

export function Worlds(): JSX.Element | null {
  const [worlds, setWorlds] = useState<api.World[]>([]);
  const [wanted, setWanted] = useState("");
  const [lost, setLost] = useState(false);
  useEffect(() => {
    let over = false;
    void api.worlds().then((all) => over || setWorlds(all)).catch(() => undefined); // a server of one world
    return () => {
      over = true;
    };
  }, []);
  useEffect(() => {
    if (!wanted) return;
    let timer = 0;
    const look = (all: api.World[]): void => {
      setWorlds(all);
      const world = all.find(({ name }) => name === wanted);
      if (world?.state === "ready") location.assign(`${location.protocol}//${location.hostname}:${world.port}/`);
      else if (world?.state === "training") timer = window.setTimeout(() => void api.worlds().then(look, failed), pause);
      else failed();
    };
    const failed = (): void => {
      setLost(true);
      setWanted("");
    };
    setLost(false);
    void api.startWorld(wanted).then(look, failed);
    return () => clearTimeout(timer);
  }, [wanted]);
  if (worlds.length < 2 || !worlds.some(({ here, port }) => here && String(port) === location.port && /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname))) return null;
  return (
    <div class="worlds" role="group" aria-label="What to sort">
      {worlds.map(({ name, title, here }) => (
        <button key={name} type="button" class="outlined" aria-pressed={here} disabled={!here && wanted !== ""} onClick={() => !here && setWanted(name)}>{title}</button>
      ))}
      <span class="caption" role="status">{wanted ? "Learning from the ratings, a minute or so. It opens by itself." : lost ? "That did not work. What is here goes on." : ""}</span>
    </div>
  );
}
