import { createLog } from '#lib/server/platform/logging/log.ts';

export const log = createLog();
