import type { ChannelsDeps } from "../channels-deps.ts";
import type { Sightings } from "../groups/sightings.ts";
import type { Drafts } from "../outgoing/drafts.ts";
import type { KeepDeps } from "./keep-files.ts";
import type { Pairing } from "./pairing.ts";

/** What the way in works with, and whatever is ordered there. */
export type IntakeDeps = ChannelsDeps & { pairing: Pairing; sightings: Sightings } & KeepDeps & Pick<Drafts, "goingOn">;
