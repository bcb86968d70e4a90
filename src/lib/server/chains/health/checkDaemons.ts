/** Checks identity and capabilities of daemons, independently of each other: one that hangs delays no other. */
import { isMainChain } from '#lib/chain/mainChain.ts';
import { z } from 'zod';
import type { CapabilityId } from '#lib/messages/capabilities.ts';
import { INDEX_NAMES, type IndexFact } from '#lib/messages/daemonIndexes.ts';
import type { CheckProblem } from '#lib/messages/explained/daemonCheck.ts';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import type { Config } from '../../platform/config/types.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { daemonError } from '../daemon/daemonError.ts';
import { createGateway, readsOnly } from '../daemon/gateway.ts';
import { number, readIdentity, tellsOfWallet, UNTOLD } from '../daemon/identity.ts';
import type { DaemonInfo, Gateway } from '../daemon/types.ts';
import { waitFor } from '../upstream/wait.ts';
import { capabilitiesOf, type Identity } from './capabilities.ts';
import { indexFact } from './indexes.ts';
import { readIndexes, readProbes } from './read.ts';

const Info = z.object({
	result: z.looseObject({
		blocks: number,
		sapling: number,
		notaryid: number,
		CCid: z.unknown().optional(),
		pubkey: z.unknown().optional(),
		KMDversion: z.unknown().optional(),
		walletversion: z.unknown().optional(),
		balance: z.unknown().optional()
	})
});

/** Capabilities of every daemon that answers, which are not listed. */
const UNLISTED: readonly CapabilityId[] = ['read'];

/** Result of checking one daemon. Contains no credential. */
export interface DaemonCheck {
	daemon: DaemonInfo;
	/** Null when it does not report its release. */
	release: string | null;
	height: number | null;
	can: readonly CapabilityId[];
	/** One for each index; empty when the daemon did not answer. */
	indexes: readonly IndexFact[];
	problems: readonly CheckProblem[];
}

interface CheckLimits {
	/** Milliseconds for each answer. */
	timeoutMs: number;
	/** Milliseconds for one daemon in total; undefined waits until each answer has arrived or timed out. */
	deadlineMs?: number;
}

/** Converts the members of `getinfo` that capabilities depend on. */
function identityOf({ result }: z.infer<typeof Info>, { ccid, pubkey }: DaemonInfo): Identity {
	return {
		// Only null and what is no number leave it open.
		ccid: ccid ?? (result.CCid === undefined ? 0 : null),
		blocks: result.blocks ?? null,
		sapling: result.sapling ?? null,
		pubkey: pubkey ?? (result.pubkey === null ? null : undefined),
		hasWallet: tellsOfWallet(result),
		notaryId: result.notaryid ?? -1
	};
}

async function askIdentity(
	gateway: Gateway,
	id: string,
	timeout: number
): Promise<z.infer<typeof Info> | 'unserved' | null> {
	const answer = await gateway.proxy(id, 'getinfo', '[]', { timeout, anyChain: true });
	if (readIdentity(answer) === UNTOLD) return 'unserved';
	const parsed = Info.safeParse(jsonOrNull(answer.body.toString('utf8')));
	return parsed.success ? parsed.data : null;
}

async function check(gateway: Gateway, id: string, timeoutMs: number): Promise<DaemonCheck> {
	const info = (): DaemonInfo => gateway.daemon(id)!;
	const nothing = { release: null, height: null, can: [], indexes: [] };
	try {
		const answer = await askIdentity(gateway, id, timeoutMs);
		const { health, purposes, release, version } = info();
		if (health.state === 'wrong-chain' && health.reason !== null) {
			const problems: CheckProblem[] = [{ code: 'failed', error: health.reason }];
			return { daemon: info(), ...nothing, problems };
		}
		if (answer === null) {
			return { daemon: info(), ...nothing, problems: [{ code: 'unreadable' }] };
		}
		const [indexes, probes] = await Promise.all([
			readIndexes(gateway, info(), 'check', timeoutMs),
			readProbes(gateway, info(), 'check', timeoutMs)
		]);
		const identity = answer === 'unserved' ? null : identityOf(answer, info());
		const builds = (identity?.ccid ?? 0) !== 0;
		const isMain = isMainChain(info().chain);
		const all = capabilitiesOf({ isMain, identity, indexes, probes, importMode: null });
		const problems: CheckProblem[] = [];
		if (identity === null) problems.push({ code: 'no-getinfo' });
		if (all.some((one) => one.id === 'sapling' && one.can === false))
			problems.push({ code: 'sapling-inactive' });
		if (identity?.pubkey === undefined && purposes.includes('wallet') && builds)
			problems.push({ code: 'no-pubkey' });
		return {
			daemon: info(),
			release: release ?? (version === null ? null : String(version)),
			height: identity?.blocks ?? null,
			can: all.flatMap((one) => (one.can && !UNLISTED.includes(one.id) ? one.id : [])),
			indexes: INDEX_NAMES.map((name) => indexFact(name, indexes[name], builds)),
			problems
		};
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		// The first failure tells more than those of calls that were held back since.
		const { reason } = info().health;
		const known = reason?.code === error.code ? reason : error.coded;
		return { daemon: info(), ...nothing, problems: [{ code: 'failed', error: known }] };
	}
}

/** Checks one daemon, but no longer than the deadline. */
async function checkInTime(
	gateway: Gateway,
	id: string,
	{ timeoutMs, deadlineMs }: CheckLimits
): Promise<DaemonCheck> {
	try {
		return await waitFor(check(gateway, id, timeoutMs), deadlineMs);
	} catch (error) {
		if (!isAppError(error, 'answer.pending')) throw error;
		const late = daemonError(
			'daemon.timeout',
			{ daemon: id, method: 'getinfo' },
			{ delivery: 'not-sent' }
		);
		return {
			daemon: gateway.daemon(id)!,
			release: null,
			height: null,
			can: [],
			indexes: [],
			problems: [{ code: 'failed', error: late.coded }]
		};
	}
}

/**
 * Checks every daemon of a configuration over separate connections, in the order of the configuration. A failed
 * daemon is reported as a check with a problem. Only reads are sent.
 */
export async function checkDaemons(
	config: Pick<Config, 'daemons'>,
	limits: CheckLimits
): Promise<DaemonCheck[]> {
	const gateway = createGateway(config, { pollEvery: null, refusal: readsOnly });
	try {
		return await Promise.all(config.daemons.map(({ id }) => checkInTime(gateway, id, limits)));
	} finally {
		await gateway.close();
	}
}
