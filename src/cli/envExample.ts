/** `npm run env:example`: writes `.env.example` from the settings. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { envExample } from '#lib/server/platform/config/settings.ts';

writeFileSync(resolve(import.meta.dirname, '../../.env.example'), envExample());
