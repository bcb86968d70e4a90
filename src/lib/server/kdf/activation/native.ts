/**
 * Checks what a native daemon needs so that a trading node can use it (`enable`): three options of its
 * configuration, and the node's address in its wallet.
 */
import { evmAddressOf } from '#lib/chain/evmAddress.ts';
import { nativeWords } from '#lib/messages/activation/native.ts';
import { readFile } from 'node:fs/promises';
import type { Gateway } from '../../chains/daemon/types.ts';
import { readIndexes, type Told } from '../../chains/health/read.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import { parseConf } from '../../platform/config/conf.ts';
import type { DaemonConfig } from '../../platform/config/types.ts';
import type { Coins } from '../coins/coins.ts';
import type { Coin } from '../coins/parse.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import { addressOfKeyHash } from '../coins/keyAddresses.ts';
import { isAppError, AppError } from '../../platform/errors/appError.ts';

type CheckState = 'ok' | 'missing' | 'unknown';

export interface NativeCheck {
	what: 'logevents' | 'txindex' | 'addressindex' | 'address';
	state: CheckState;
	/** Message about the state. */
	says: string;
	/** What to do; null when nothing has to be done. */
	mend: string | null;
}

export interface NativeFacts {
	/** Id of the daemon of this coin that is configured here; null when there is none. */
	daemon: string | null;
	checks: NativeCheck[];
	/** The node's address for this coin; null when it is not known. */
	address: string | null;
	/** Whether the address can be imported from here. */
	canImport: boolean;
}

/** How long a page waits for a daemon. */
const TIMEOUT_MS = 750;

/** Reads the options of a daemon's configuration file; null when there is none to read. */
async function confOf(config: DaemonConfig | undefined): Promise<Map<string, string> | null> {
	if (config?.credentials.kind !== 'conf') return null;
	try {
		return parseConf(await readFile(config.credentials.file, 'utf8'));
	} catch {
		return null;
	}
}

function optionCheck(
	what: 'logevents' | 'txindex' | 'addressindex',
	works: boolean | null,
	conf: Map<string, string> | null
): NativeCheck {
	const on = works ?? (conf === null ? null : conf.get(what) === '1');
	const words = nativeWords.option;
	if (on === true) return { what, state: 'ok', says: words.ok(what), mend: null };
	if (on === false) {
		return { what, state: 'missing', says: words.missing(what), mend: words.mend(what) };
	}
	return {
		what,
		state: 'unknown',
		says: words.unknown(what),
		mend: words.look(what)
	};
}

interface NativeParts {
	coins: Pick<Coins, 'catalog'>;
	gateway: Gateway;
	nodes: KdfPort;
	audit: AuditTrail;
	daemons: readonly DaemonConfig[];
}

export function createNative({ gateway, nodes, audit, daemons, coins }: NativeParts) {
	/** Returns the node's answer; null when the call fails. */
	async function told<T>(call: Promise<T>): Promise<T | null> {
		try {
			return await call;
		} catch (error) {
			if (!isAppError(error, 'activation.call-failed')) throw error;
			return null;
		}
	}

	/**
	 * Whether the node has an HD wallet: then its public key belongs to none of its coins, and coins sent to
	 * the address of that key would be in no wallet. A node with a single key uses it on EVM chains, too, and
	 * reports that address at any time for each coin that it knows, so both are compared. When they cannot be
	 * compared, the node counts as one with an HD wallet.
	 */
	async function hasManyKeys(node: string): Promise<boolean> {
		const evm = (await coins.catalog()).coins.find(({ protocol }) => protocol === 'ETH');
		if (evm === undefined) return true;
		const [key, own] = await Promise.all([
			told(nodes.call(node, 'get_public_key', {})),
			told(nodes.call(node, 'get_my_address', { coin: evm.ticker }))
		]);
		if (key === null || own === null) return true;
		try {
			const ofKey = evmAddressOf(Buffer.from(key.public_key, 'hex'));
			return ofKey.toLowerCase() !== own.wallet_address.toLowerCase();
		} catch {
			// Not a point of the curve: the address of such a key is not derived.
			return true;
		}
	}

	/**
	 * Returns the address of the node's key for a coin; null when the node does not report the key, or has an
	 * HD wallet.
	 */
	async function addressAt(node: string, coin: Coin): Promise<string | null> {
		const [said, isMany] = await Promise.all([
			told(nodes.call(node, 'get_public_key_hash', {})),
			hasManyKeys(node)
		]);
		const hash = said?.public_key_hash ?? '';
		return isMany || /^0*$/.test(hash) ? null : addressOfKeyHash(Buffer.from(hash, 'hex'), coin);
	}

	async function addressCheck(daemon: string, address: string): Promise<NativeCheck> {
		const unknown = (says: string): NativeCheck => ({
			what: 'address',
			state: 'unknown',
			says,
			mend: nativeWords.address.mendByHand(address)
		});
		try {
			const told = await gateway.call(daemon, 'validateaddress', [address], {
				timeout: TIMEOUT_MS
			});
			const { ismine, iswatchonly } = told as { ismine?: boolean; iswatchonly?: boolean };
			return ismine === true || iswatchonly === true
				? { what: 'address', state: 'ok', says: nativeWords.address.ok(address), mend: null }
				: {
						what: 'address',
						state: 'missing',
						says: nativeWords.address.missing(address),
						mend: nativeWords.address.mend
					};
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
			return unknown(nativeWords.address.notTold);
		}
	}

	return {
		/** Checks the daemon of a coin. Never fails: what is not reported is unknown. */
		async facts(node: string, coin: Coin, requestId: string): Promise<NativeFacts> {
			const info =
				gateway.daemonFor(coin.ticker, 'wallet') ?? gateway.daemonFor(coin.ticker, 'read');
			const config = daemons.find(({ id }) => id === info?.id);
			const [answers, conf, address] = await Promise.all([
				info === undefined ? null : readIndexes(gateway, info, requestId),
				confOf(config),
				addressAt(node, coin)
			]);
			const toldOf = (answer: Told<boolean> | undefined): boolean | null =>
				answer?.kind === 'told' ? answer.value : null;
			const checks = [
				optionCheck('logevents', null, conf),
				optionCheck('txindex', toldOf(answers?.txindex), conf),
				optionCheck('addressindex', toldOf(answers?.addressindex), conf)
			];
			if (info !== undefined && address !== null) checks.push(await addressCheck(info.id, address));
			else {
				checks.push({
					what: 'address',
					state: 'unknown',
					says:
						address === null
							? nativeWords.address.unknownYet
							: nativeWords.address.unknown(address),
					mend:
						address === null ? nativeWords.address.mendUnknownYet : nativeWords.address.mendUnknown
				});
			}
			const watched = checks.at(-1)?.state === 'ok';
			return {
				daemon: info?.id ?? null,
				checks,
				address,
				canImport: info !== undefined && address !== null && !watched
			};
		},

		/**
		 * Has the daemon of a coin watch the node's address. The event is recorded before the call, because a
		 * daemon that rescans the chain answers long after any caller has stopped waiting.
		 * @param rescan whether the daemon searches the chain for earlier coins of the address
		 * @param beforeSend called right before the call is sent; it is not sent when this rejects
		 * @throws {AppError} `daemon`
		 * @throws {AppError} `activation.nothing-to-import` when there is no daemon, or the node's address is
		 * not known
		 */
		async importAddress(
			node: string,
			coin: Coin,
			rescan: boolean,
			by: string,
			beforeSend: () => Promise<void>
		): Promise<{ daemon: string; address: string }> {
			const daemon = gateway.daemonFor(coin.ticker, 'wallet')?.id;
			const address = await addressAt(node, coin);
			if (daemon === undefined || address === null) {
				throw new AppError('activation.nothing-to-import');
			}
			const detail = { daemon, rescan };
			await audit.append({ actor: by, action: 'address.imported', target: address, detail });
			await gateway.call(daemon, 'importaddress', [address, 'trading node', rescan], {
				beforeSend
			});
			return { daemon, address };
		}
	};
}

export type Native = ReturnType<typeof createNative>;
