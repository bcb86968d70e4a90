import { createAudit } from '#lib/server/access/audit/audit.ts';
import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type {
	Migrations,
	MigrationsOptions
} from '#lib/server/cross-chain/migration/createMigrations.ts';
import {
	createNotaryApprovals,
	type NotaryApprovals
} from '#lib/server/cross-chain/notary-approvals/notaryApprovals.ts';
import {
	createApprovalQueues,
	type ApprovalQueues
} from '#lib/server/cross-chain/notary-approvals/queue/approvalQueues.ts';
import { createApprovalStore } from '#lib/server/cross-chain/notary-approvals/store.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import type { Db } from '#lib/server/database.ts';
import { locks } from '#lib/server/locks.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { createSender, type Sender } from '#lib/server/wallet/transactions/sender.ts';
import { daemonConfig, neverAway } from '../../support/daemons.ts';
import type { Devnet } from '../../support/devnet.ts';
import { neverSwitchedOff, noApprovals, permissiveRights } from '../../support/permissive.ts';
import { addressOn, draftedBurn, migrationsOver } from '../migration/support.ts';

/** The five daemons of BETA with a notary's wallet. */
export const NOTARIES = [1, 2, 3, 4, 5].map((n) => `BETA-notary-${n}`);

/**
 * All daemons of a network with their purposes.
 * @param instead addresses of proxies in front of some of them, by id
 */
export const daemonsOf = (
	net: Devnet,
	instead: Readonly<Record<string, string>> = {},
	dataCarrierSize: number | null = null
): DaemonConfig[] =>
	net.daemons.map((daemon) =>
		daemonConfig(
			{ ...daemon, url: instead[daemon.id] ?? daemon.url },
			{ dataCarrierSize, ...(daemon.id.includes('notary') && { purposes: ['notary'] }) }
		)
	);

/**
 * A gateway to all daemons of a network.
 * @param refusal refuses calls
 */
export const gatewayToAll = (
	net: Devnet,
	instead: Readonly<Record<string, string>> = {},
	dataCarrierSize: number | null = null,
	refusal: Parameters<typeof createGateway>[1]['refusal'] = neverSwitchedOff
): Gateway =>
	createGateway(
		{ daemons: daemonsOf(net, instead, dataCarrierSize) },
		{ pollEvery: null, refusal, limits: neverAway }
	);

/** One server's parts over a database and a network. */
export interface Room {
	gateway: Gateway;
	migrations: Migrations;
	sender: Sender;
	notaryApprovals: NotaryApprovals;
	queues: ApprovalQueues;
}

/** Rights of members in a server's parts: everyone may do everything, unless a test says otherwise. */
interface People {
	rights?: Partial<Rights>;
	/** Clock of reviews and queues. Unix milliseconds. */
	sendClock?: () => number;
}

export function roomOver(
	db: Db,
	gateway: Gateway,
	{
		rights: given,
		sendClock = Date.now,
		...more
	}: Omit<Partial<MigrationsOptions>, 'rights'> & People = {}
): Room {
	const audit = createAudit(db, new Uint8Array(32));
	const rights = { ...permissiveRights(gateway), ...given };
	const migrations = migrationsOver(db, gateway, { audit, rights, ...more });
	const sender = createSender({
		locks,
		db,
		gateway,
		audit,
		rights,
		approvals: noApprovals,
		clock: sendClock
	});
	const approvalStore = createApprovalStore({ db, gateway });
	const notaryApprovals = createNotaryApprovals({
		locks,
		db,
		gateway,
		audit,
		approvalStore,
		migrations,
		sender
	});
	const queues = createApprovalQueues({
		db,
		audit,
		sender,
		rights,
		approvals: notaryApprovals,
		clock: sendClock
	});
	return { gateway, migrations, sender, notaryApprovals, queues };
}

/** A confirmed and published burn on ALPHA for BETA. */
export async function publishedBurn(
	net: Devnet,
	{ migrations }: Room,
	amount: string,
	policy: 'automatic' | 'ask' | 'ask-two' = 'automatic'
): Promise<{ id: string; txid: string; address: string }> {
	const address = await addressOn(net, 'BETA');
	const id = await draftedBurn(migrations, { address, amount, policy });
	await migrations.confirm(id, 'ada', null);
	await migrations.advance(id);
	await net.control.mine('ALPHA');
	await migrations.advance(id);
	if (!(await migrations.publish(id, 'ada'))) throw new Error('it was not published');
	const { row } = (await migrations.get(id))!;
	return { id, txid: row.burn_txid!, address };
}

/**
 * Approves like a notary with the daemons' command lines.
 * @returns the approval's txid
 */
export async function approveBy(
	net: Devnet,
	notary: string,
	burnTxid: string,
	more: { proof?: string } = {}
): Promise<string> {
	const { TxOutProof } = await net.rpc<{ TxOutProof: string }>(
		'ALPHA',
		'migrate_checkburntransactionsource',
		burnTxid
	);
	const { NotaryTxHex } = await net.rpc<{ NotaryTxHex: string }>(
		notary,
		'migrate_createnotaryapprovaltransaction',
		burnTxid,
		more.proof ?? TxOutProof
	);
	return net.rpc<string>(notary, 'sendrawtransaction', NotaryTxHex);
}

/** Submits an approval's id without an account, each time from another address. */
let given = 0;
export function giveFromOutside(room: Room, burnTxid: string, txid: string) {
	given += 1;
	return room.notaryApprovals.give(burnTxid, txid, {
		address: `198.51.${Math.floor(given / 250)}.${given % 250}`,
		account: null
	});
}

/** Txids of a burn's imports in the newest blocks of BETA. */
export async function importsOf(gateway: Gateway, burnTxid: string): Promise<string[]> {
	const { blocks } = await gateway.call('BETA', 'getinfo', []);
	const found: string[] = [];
	for (let height = blocks; height > Math.max(0, blocks - 60); height--) {
		const { imports } = await gateway.call('BETA', 'getimports', [String(height)]);
		found.push(
			...imports
				.filter((one) => 'txid' in one.export && one.export.txid === burnTxid)
				.map(({ txid }) => txid)
		);
	}
	return found;
}
