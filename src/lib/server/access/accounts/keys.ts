/** The secret key of an installation, and its earlier keys. */
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { createCipher } from '../../platform/secrets/encrypt.ts';
import {
	deriveKey,
	previousKeys,
	readSecretKey,
	type KeySource
} from '../../platform/secrets/secretKey.ts';
import { createAudit } from '../audit/audit.ts';
import { createHashes, type AuditKey } from '../audit/hashes.ts';
import { isTipIntact, lockTip } from '../audit/tip.ts';
import type { AccessTables } from '../tables.ts';

/** Keys of one purpose, derived from the current secret key first, then from the earlier ones. */
export type DerivedKeys = readonly [Uint8Array, ...Uint8Array[]];

export interface SecretKeys {
	derive(purpose: string): DerivedKeys;
	/** Keys of the audit log, each with the number of the last event written with it. */
	audit: readonly [AuditKey, ...AuditKey[]];
	/** The secret key was changed by this start. */
	rotated: boolean;
}

interface Earlier {
	/** Hex. */
	key: string;
	/** Number of the last event that was written with it. */
	until: string;
}

const PLACE = 'earlier keys';
const cipherOf = (key: Uint8Array) => createCipher([deriveKey(key, 'earlier keys')]);
const auditKey = (key: Uint8Array): Uint8Array => deriveKey(key, 'audit');

function keysOf(current: Uint8Array, earlier: readonly Earlier[], rotated = false): SecretKeys {
	const before = earlier.map(({ key, until }) => ({
		key: Buffer.from(key, 'hex') as Uint8Array,
		until: BigInt(until)
	}));
	return {
		derive: (purpose) => [
			deriveKey(current, purpose),
			...before.map(({ key }) => deriveKey(key, purpose))
		],
		audit: [
			{ key: auditKey(current), until: null },
			...before.map(({ key, until }) => ({ key: auditKey(key), until }))
		],
		rotated
	};
}

const otherKey = (): AppError => new AppError('secret.key-of-another');

/** Decrypts the stored earlier keys; null where they were encrypted under a different key. */
function decrypted(key: Uint8Array, encrypted: string): Earlier[] | null {
	try {
		return JSON.parse(cipherOf(key).decrypt(encrypted, PLACE)) as Earlier[];
	} catch (error) {
		if (isAppError(error, 'secret.undecryptable')) return null;
		throw error;
	}
}

const stored = (db: Executor<AccessTables>) =>
	db.selectFrom('secret_keys').select('encrypted').where('id', '=', 1n).executeTakeFirst();

async function store(trx: Executor<AccessTables>, key: Uint8Array, earlier: readonly Earlier[]) {
	const encrypted = cipherOf(key).encrypt(JSON.stringify(earlier), PLACE);
	await trx
		.insertInto('secret_keys')
		.values({ id: 1n, encrypted })
		.onConflict((conflict) => conflict.column('id').doUpdateSet({ encrypted }))
		.execute();
}

/**
 * Switches to a new key. What was written with the earlier one can still be verified and read; its sessions
 * and set-up links end, and from now on everything is written with the new one.
 */
async function rotate(
	db: Executor<AccessTables>,
	current: Uint8Array,
	before: { key: Uint8Array; earlier: readonly Earlier[] }
): Promise<SecretKeys> {
	return db.transaction().execute(async (trx) => {
		const tip = await lockTip(trx);
		const row = await stored(trx);
		const done = row && decrypted(current, row.encrypted);
		// Another server process has already rotated the key.
		if (done) return keysOf(current, done);
		const earlier = [
			...before.earlier,
			{ key: Buffer.from(before.key).toString('hex'), until: String(tip.seq) }
		];
		const keys = keysOf(current, earlier, true);
		const old = createHashes(keysOf(before.key, before.earlier).audit);
		const whole = await isTipIntact(trx, old, tip);
		const { tip: macOf, keyId } = createHashes(keys.audit);
		await trx
			.updateTable('audit_tip')
			.set({
				key_id: keyId,
				...(whole && tip.mac !== null ? { mac: macOf(tip.seq, tip.hash, tip.checkpointed) } : {})
			})
			.where('id', '=', 1n)
			.execute();
		await store(trx, current, earlier);
		await trx.deleteFrom('sessions').execute();
		await trx.deleteFrom('setup_links').execute();
		await createAudit(db, keys.audit).append(
			{ actor: 'configuration', action: 'key.rotated' },
			trx
		);
		return keys;
	});
}

/**
 * Opens the keys of a database.
 * @throws {AppError} `secret` where none is configured, or it is not the key of this database
 */
export async function openKeys(db: Database<AccessTables>, source: KeySource): Promise<SecretKeys> {
	const row = await stored(db);
	const head = await db.selectFrom('audit_tip').select('seq').executeTakeFirst();
	const isNew = row === undefined && (head?.seq ?? 0n) === 0n;
	const current = readSecretKey(source, isNew);
	const candidates = previousKeys(source);
	if (row) {
		const earlier = decrypted(current, row.encrypted);
		if (earlier) return keysOf(current, earlier);
		for (const key of candidates) {
			const before = decrypted(key, row.encrypted);
			if (before) return rotate(db, current, { key, earlier: before });
		}
		throw otherKey();
	}
	const isForeign = (key: Uint8Array): Promise<boolean> =>
		createAudit(db, auditKey(key)).isForeign();
	if (!(await isForeign(current))) {
		await store(db, current, []);
		return keysOf(current, []);
	}
	for (const key of candidates) {
		if (!(await isForeign(key))) return rotate(db, current, { key, earlier: [] });
	}
	throw otherKey();
}
