/** Checks before a burn, which cannot be undone: each known way to lose the coins is a check with a code. */
import type { Satoshi } from '#lib/chain/amount.ts';
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { walletKeys } from '../../chains/daemon/ccAddresses.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { firstBlockAhead } from '../../chains/daemon/findImport.ts';
import type { IndexReader } from '../../chains/health/indexMemory.ts';
import type { Check } from './check.ts';
import { checkOutputs, checkRecipients, type CustomBurnRequest } from './customChecks.ts';
import { checkIndexes, indexesOfSource } from './indexChecks.ts';
import { checkAddress } from './preflight/address.ts';
import { Checks, guarded } from './preflight/checks.ts';
import { checkAmount, checkFunds, dustLimit } from './preflight/funds.ts';
import { checkIdentity, infoOf } from './preflight/identity.ts';
import { checkNotarizations } from './preflight/notarizations.ts';
import { checkKey, checkWallet } from './preflight/wallet.ts';
import type { MigrationRequest } from './request.ts';
import { daemonOfChain, mainDaemon } from './routeDaemons.ts';
import { checkToken, type TokenRequest } from './tokenChecks.ts';

/** The daemons and facts with which a valid request is executed. */
export interface Route {
	sourceDaemon: DaemonInfo;
	destinationDaemon: DaemonInfo;
	kmdDaemon: DaemonInfo;
	ccid: number;
	/** Key of the paying wallet. */
	pubkey: string;
	/** Least fee of the source, in satoshi per 1000 bytes; null when its daemon does not report it. */
	relayFee: Satoshi | null;
	/** First block of the destination that can contain the import. */
	importScanFrom: bigint;
}

export interface Preflight {
	checks: Check[];
	/** Null when a check failed. */
	route: Route | null;
}

/** Bytes that an import's last output needs for a typical burn and proof. */
const TYPICAL_IMPORT_OUTPUT = 600;

/** Returns what to migrate, with the fields that its kind needs. */
function kindOf(
	request: MigrationRequest
):
	| { kind: 'coins' }
	| { kind: 'token'; request: TokenRequest }
	| { kind: 'custom'; request: CustomBurnRequest } {
	const { tokenid, composed } = request;
	if (tokenid !== null) return { kind: 'token', request: { ...request, tokenid } };
	return composed === null
		? { kind: 'coins' }
		: { kind: 'custom', request: { ...request, composed } };
}

/** Returns the daemons of a migration; null when one is missing, which fails a check. */
function daemonsOf(
	checks: Checks,
	gateway: Gateway,
	{ source, destination }: MigrationRequest
): Pick<Route, 'sourceDaemon' | 'destinationDaemon' | 'kmdDaemon'> | null {
	const sourceDaemon = gateway.daemonFor(source, 'wallet');
	const destinationDaemon = daemonOfChain(gateway, destination);
	const kmdDaemon = mainDaemon(gateway);
	if (!sourceDaemon) {
		checks.add('fail', 'chains', { code: 'chains.no-wallet', params: { chain: source } }, 'source');
	}
	if (!destinationDaemon) {
		checks.add(
			'fail',
			'chains',
			{ code: 'chains.not-configured', params: { chain: destination } },
			'destination'
		);
	}
	if (!kmdDaemon) {
		checks.add('fail', 'chains', { code: 'chains.no-kmd', params: { chain: MAIN_CHAIN } });
	}
	return sourceDaemon && destinationDaemon && kmdDaemon
		? { sourceDaemon, destinationDaemon, kmdDaemon }
		: null;
}

/** @param limit bytes of the largest data output that the destination relays; null when unknown */
function checkRelayLimit(checks: Checks, chain: string, limit: number | null): void {
	if (limit !== null && limit < TYPICAL_IMPORT_OUTPUT) {
		checks.add(
			'fail',
			'datacarriersize',
			{ code: 'relay.too-small', params: { chain, limit, needed: TYPICAL_IMPORT_OUTPUT } },
			'destination'
		);
	}
}

/**
 * Runs all checks before a burn. Failures of daemons become failed checks.
 * @param fungible whether fungible tokens may be migrated from here
 */
export async function preflight(
	gateway: Gateway,
	request: MigrationRequest,
	indexesOf: IndexReader,
	fungible: boolean
): Promise<Preflight> {
	const checks = new Checks();
	const refuse = (): Preflight => ({ checks: checks.list, route: null });
	if (request.source === request.destination) {
		checks.add('fail', 'chains', { code: 'chains.same', params: {} }, 'destination');
		return refuse();
	}
	const daemons = daemonsOf(checks, gateway, request);
	if (daemons === null) return refuse();
	const { sourceDaemon, destinationDaemon, kmdDaemon } = daemons;
	const clients = {
		source: daemonClientOf(gateway, sourceDaemon.id),
		target: daemonClientOf(gateway, destinationDaemon.id),
		kmd: daemonClientOf(gateway, kmdDaemon.id)
	};
	const what = kindOf(request);
	// A burn from selected UTXOs is built here.
	const builds = what.kind !== 'custom';
	const [source, target, kmd, sourceIndexes, targetIndexes] = await Promise.all([
		infoOf(checks, clients.source, request.source, 'source'),
		infoOf(checks, clients.target, request.destination, 'destination'),
		infoOf(checks, clients.kmd, MAIN_CHAIN),
		indexesOf(sourceDaemon, indexesOfSource(builds)),
		indexesOf(destinationDaemon, [])
	]);
	if (!source || !target || !kmd) return refuse();
	checkIndexes(checks.add, [
		{
			chain: request.source,
			indexes: sourceIndexes,
			field: 'source',
			builds
		},
		{ chain: request.destination, indexes: targetIndexes, field: 'destination', builds: false }
	]);
	// They use members of `getinfo` that a daemon may not report.
	await guarded(checks, 'identity', async () => {
		checkIdentity(
			checks,
			request,
			{ info: source, dialect: sourceDaemon.dialect },
			{ info: target, dialect: destinationDaemon.dialect }
		);
		checkWallet(checks, sourceDaemon, source);
	});
	if (what.kind === 'coins') checkAmount(checks, request, target.relayfee);
	const limit = destinationDaemon.dataCarrierSize;
	checkRelayLimit(checks, request.destination, limit);
	if (checks.failed) return refuse();
	const pubkeys = walletKeys(gateway);
	const payment = (): Promise<void> => {
		if (what.kind === 'token') {
			return checkToken(checks.add, clients, what.request, {
				version: source.version,
				limit,
				fungible
			});
		}
		if (what.kind === 'custom') {
			return checkOutputs(checks.add, clients.source, what.request, source.blocks);
		}
		return checkFunds(checks, clients.source, request);
	};
	const recipients = async (): Promise<void> => {
		if (what.kind === 'coins') return checkAddress(checks, clients.target, request, pubkeys);
		if (what.kind === 'token') return;
		const least = dustLimit(target.relayfee);
		return checkRecipients(checks.add, clients.target, what.request, pubkeys, least);
	};
	await Promise.all([
		guarded(checks, 'notarizations', () =>
			checkNotarizations(checks, clients.kmd, kmd.blocks, request)
		),
		guarded(checks, 'wallet', () => checkKey(checks, clients.source, source)),
		guarded(checks, 'address', () => recipients()),
		guarded(checks, 'funds', payment)
	]);
	if (checks.failed || source.pubkey === undefined) return refuse();
	return {
		checks: checks.list,
		route: {
			...daemons,
			ccid: source.CCid ?? 0,
			pubkey: source.pubkey,
			relayFee: reported(source, 'relayfee'),
			importScanFrom: firstBlockAhead(target.blocks)
		}
	};
}
