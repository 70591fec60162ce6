import { z } from "zod";

/** For paths without parts and queries without keys: whatever is sent there is a mistake. */
export const nothing = z.strictObject({});
