import webPush from 'web-push';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { AccessTables } from '../tables.ts';
import { VAPID_PLACE } from './secrets.ts';

const Keys = z.object({ publicKey: z.string(), privateKey: z.string() });

/** The key pair by which push services identify this installation. */
export type VapidKeys = z.output<typeof Keys>;

/** Reads the key pair, and creates it at the first run. Of servers that start together, one creates it. */
export async function openVapidKeys(
	db: Database<AccessTables>,
	cipher: Cipher
): Promise<VapidKeys> {
	const made = cipher.encrypt(JSON.stringify(webPush.generateVAPIDKeys()), VAPID_PLACE);
	await db
		.insertInto('vapid_keys')
		.values({ id: 1, encrypted: made })
		.onConflict((conflict) => conflict.column('id').doNothing())
		.execute();
	const { encrypted } = await db
		.selectFrom('vapid_keys')
		.select('encrypted')
		.where('id', '=', 1n)
		.executeTakeFirstOrThrow();
	return Keys.parse(JSON.parse(cipher.decrypt(encrypted, VAPID_PLACE)));
}
