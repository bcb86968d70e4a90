import { createAudit } from '#lib/server/access/audit/audit.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import {
	createMigrations,
	type Migrations,
	type MigrationsOptions
} from '#lib/server/cross-chain/migration/createMigrations.ts';
import { createApprovalStore } from '#lib/server/cross-chain/notary-approvals/store.ts';
import type { MigrationState } from '#lib/server/cross-chain/migration/states.ts';
import type { Db } from '#lib/server/database.ts';
import { locks } from '#lib/server/locks.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import type { Devnet, DevnetDaemon } from '../../support/devnet.ts';
import { addRecorded } from '../../support/members.ts';
import { noApprovals, permissiveRights } from '../../support/permissive.ts';
import type { MigrationInput } from '#lib/server/cross-chain/migration/request.ts';
import type { DraftResult } from '#lib/server/cross-chain/migration/use-cases/draft.ts';
import type { RequestFault } from '#lib/messages/migration/requestFaults.ts';

/** Address of a daemon of the network, or of a proxy in front of it. */
export type Place = Omit<DevnetDaemon, 'pubkey'>;

/** The main daemon of each chain, some of them replaced. */
export function placesOf(net: Devnet, instead: Readonly<Record<string, string>> = {}): Place[] {
	return [...net.chains.values()].map(({ id, chain, url, user, password }) => ({
		id,
		chain,
		url: instead[id] ?? url,
		user,
		password
	}));
}

/** The configuration entries of the places. */
export const configOf = (places: readonly Place[]): DaemonConfig[] =>
	places.map((place) => daemonConfig(place));

export const gatewayTo = (places: readonly Place[]): Gateway => gatewayBefore(...configOf(places));

export function migrationsOver(
	db: Db,
	gateway: Gateway,
	more: Partial<MigrationsOptions> = {}
): Migrations {
	const approvalStore = createApprovalStore({ db, gateway, clock: more.clock });
	return createMigrations({
		locks,
		db,
		gateway,
		audit: createAudit(db, new Uint8Array(32)),
		rights: permissiveRights(gateway),
		approvals: noApprovals,
		recheckApprovals: (burn) => approvalStore.recheck(burn),
		fungibleTokens: true,
		leaseMs: 1_000,
		...more
	});
}

/** Adds a member who may approve imports of {@link migrationsOver}. Returns the name. */
export const addApprover = async (db: Db): Promise<string> =>
	(await addRecorded(db, createAudit(db, new Uint8Array(32)), 'operator')).name;

type Wish = Pick<MigrationInput, 'address' | 'amount'> & Partial<MigrationInput>;

/** Drafts a migration from ALPHA to BETA that runs automatically, unless told otherwise. */
export const draftBurn = (
	migrations: Pick<Migrations, 'draft'>,
	wish: Wish,
	by = 'ada'
): Promise<DraftResult> =>
	migrations.draft({ source: 'ALPHA', destination: 'BETA', policy: 'automatic', ...wish }, by);

/**
 * The id of the draft.
 * @throws Error with the failed checks
 */
export function idOfDraft(drafted: DraftResult): string {
	if (drafted.kind !== 'drafted') throw new Error(`not drafted: ${JSON.stringify(drafted)}`);
	return drafted.id;
}

/** The codes of a field's error, behind its line if it has one. */
const faultCodes = (fault: RequestFault): string =>
	[
		...(fault.line === undefined ? [] : [`line ${fault.line}`]),
		fault.code,
		...('error' in fault ? [fault.error.code] : []),
		...('why' in fault ? [fault.why] : []),
		...('most' in fault ? [String(fault.most)] : [])
	].join(' ');

/** The codes of the field errors or failed checks of a draft; empty if there are none. */
export const failed = (result: DraftResult): string =>
	result.kind === 'invalid'
		? Object.values(result.errors).map(faultCodes).join(', ')
		: result.kind === 'refused'
			? result.checks
					.filter((check) => check.result === 'fail')
					.map(({ message }) => JSON.stringify(message))
					.join(' ')
			: '';

/**
 * Drafts like {@link draftBurn}.
 * @returns the id
 */
export const draftedBurn = async (...wanted: Parameters<typeof draftBurn>): Promise<string> =>
	idOfDraft(await draftBurn(...wanted));

/** One round of the rest of the network: blocks on each chain, notarizations of both. */
export async function round(net: Devnet): Promise<void> {
	await net.control.mine('ALPHA');
	await net.control.mine('BETA');
	await net.control.notarize('ALPHA');
	await net.control.notarize('BETA');
	await net.control.mine('ALPHA');
	await net.control.mine('BETA');
	await net.control.mine('KMD', 2);
}

/** The normal address of a chain's own wallet. */
export async function addressOn(net: Devnet, chain: string): Promise<string> {
	const { daemons } = await net.control.state();
	return daemons.find(({ id }) => id === chain)!.address;
}

/**
 * Burns coins of ALPHA for an address on BETA with the daemon alone.
 * @returns the txid of the pending burn
 */
export async function burnElsewhere(net: Devnet, to: string, amount: string): Promise<string> {
	const { BurnTxHex } = await net.rpc<{ BurnTxHex: string }>(
		'ALPHA',
		'migrate_createburntransaction',
		'BETA',
		to,
		amount
	);
	return net.rpc<string>('ALPHA', 'sendrawtransaction', BurnTxHex);
}

const ENDS: readonly MigrationState[] = ['done', 'stuck', 'discarded', 'needs-approval'];

/** Advances a migration, with rounds of the network in between, until it ends or asks a member. */
export async function carry(
	net: Devnet,
	migrations: Migrations,
	id: string,
	rounds = 12
): Promise<MigrationState> {
	for (let i = 0; i < rounds; i++) {
		await migrations.advance(id);
		const state = (await migrations.get(id))!.row.state;
		if (ENDS.includes(state)) return state;
		await round(net);
	}
	return (await migrations.get(id))!.row.state;
}

/** Satoshi that the outputs of a transaction pay to an address. */
export async function paidTo(
	net: Devnet,
	chain: string,
	txid: string,
	address: string
): Promise<bigint> {
	const tx = await net.rpc<{
		vout: { valueSat: number; scriptPubKey: { addresses?: string[] } }[];
	}>(chain, 'getrawtransaction', txid, 1);
	return tx.vout
		.filter(({ scriptPubKey }) => scriptPubKey.addresses?.[0] === address)
		.reduce((sum, { valueSat }) => sum + BigInt(valueSat), 0n);
}

/** Txids of all confirmed or pending burns of a chain's wallet; the wallet's history contains others, too. */
export async function burnsOf(net: Devnet, chain: string): Promise<string[]> {
	const burns = await net.rpc<{ txid: string }[]>(chain, 'getwalletburntransactions', '1000');
	const there: string[] = [];
	for (const { txid } of burns) {
		const { rawconfirmations } = await net.rpc<{ rawconfirmations: number }>(
			chain,
			'gettransaction',
			txid
		);
		if (rawconfirmations >= 0) there.push(txid);
	}
	return there;
}

/** Txids of all confirmed imports of a burn. */
export async function importsOf(net: Devnet, chain: string, burnTxid: string): Promise<string[]> {
	const { blocks } = await net.rpc<{ blocks: number }>(chain, 'getinfo');
	const found: string[] = [];
	for (let height = blocks; height > Math.max(0, blocks - 80); height--) {
		const { imports } = await net.rpc<{
			imports: { txid: string; export: { txid?: string } }[];
		}>(chain, 'getimports', String(height));
		found.push(...imports.filter((one) => one.export.txid === burnTxid).map(({ txid }) => txid));
	}
	return found;
}
