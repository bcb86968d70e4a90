/** Generates the configuration lines that a daemon lacks, for copying. Pure; contains no credential. */
import type { DaemonError } from '#lib/messages/errors/explainDaemon.ts';
import type { CheckProblem } from '#lib/messages/explained/daemonCheck.ts';
import { PLACEHOLDERS } from '#lib/messages/pages/connectDaemons.ts';
import type { ShownKey } from '../../platform/config/conf.ts';
import type { DaemonConfig } from '../../platform/config/types.ts';
import type { DaemonCheck } from './checkDaemons.ts';

/**
 * - `conf`: lines for the daemon's own configuration file; `reindex` when one of them only takes effect with
 * `-reindex`
 * - `entry`: the daemon's entry in the file of `KOMODECK_CONFIG`
 */
export type ConfigBlock =
	{ kind: 'conf'; reindex: boolean; text: string } | { kind: 'entry'; text: string };

type Line = readonly [key: ShownKey | 'rpcuser' | 'rpcpassword', value: string];

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether the daemon's configuration file has no login, and the file that would have it cannot be read. */
const hasNoLogin = (error: DaemonError, { credentials }: DaemonConfig): boolean =>
	error.code === 'daemon.unauthorized' &&
	credentials.kind === 'conf' &&
	!!error.params.login &&
	error.params.login.params.file !== credentials.file;

function linesFor(problem: CheckProblem, daemon: DaemonConfig): Line[] {
	if (problem.code === 'no-pubkey') return [['pubkey', PLACEHOLDERS.pubkey]];
	if (problem.code !== 'failed') return [];
	const { error } = problem;
	const { hostname, port } = new URL(daemon.url);
	if (error.code === 'daemon.unreachable') {
		return [['server', '1'], ...(port === '' ? [] : ([['rpcport', port]] as const))];
	}
	if (hasNoLogin(error, daemon)) {
		return [
			['rpcuser', PLACEHOLDERS.newUser],
			['rpcpassword', PLACEHOLDERS.newPassword]
		];
	}
	if (error.code === 'daemon.unauthorized' && error.params.status === 403) {
		return [['rpcallowip', LOOPBACK.includes(hostname) ? '127.0.0.1' : PLACEHOLDERS.address]];
	}
	return [];
}

/** Returns whether the daemon refuses the login itself, rather than this machine. */
export const refusesLogin = (error: DaemonError, daemon: DaemonConfig): boolean =>
	error.code === 'daemon.unauthorized' && error.params.status !== 403 && !hasNoLogin(error, daemon);

/** Returns the chain that the entry of a daemon must name; null when no entry solves the problem. */
function chainOfEntry(problem: CheckProblem, daemon: DaemonConfig): string | null {
	if (problem.code !== 'failed') return null;
	const { error } = problem;
	if (refusesLogin(error, daemon)) return daemon.chain;
	if (error.code !== 'daemon.wrong-chain') return null;
	const { difference } = error.params;
	return difference?.what === 'chain' ? difference.found : null;
}

function entryOf({ id, chain, url, credentials }: DaemonConfig, found: string): string {
	const login =
		credentials.kind === 'cookie'
			? { cookieFile: credentials.file }
			: { user: PLACEHOLDERS.user, password: PLACEHOLDERS.password };
	const own = found === chain && id !== chain ? { id } : {};
	const entry = { ...own, chain: found, url: new URL(url).origin, ...login };
	return JSON.stringify({ daemons: [entry] }, null, 2);
}

/** A `pubkey` that is already set stays, whatever its value; any other line must have the wanted value. */
const isPresent = ([key, value]: Line, present: ReadonlyMap<string, string>): boolean =>
	key === 'pubkey' ? present.has(key) : present.get(key) === value;

/**
 * Returns the lines that make the daemon pass its check, and their file; null when no line solves its problems.
 * @param present settings in the daemon's own file; empty when that file is unknown
 */
export function configBlock(
	daemon: DaemonConfig,
	{ problems, indexes }: DaemonCheck,
	present: ReadonlyMap<ShownKey, string>
): ConfigBlock | null {
	for (const problem of problems) {
		const chain = chainOfEntry(problem, daemon);
		if (chain !== null) return { kind: 'entry', text: entryOf(daemon, chain) };
	}
	const off = indexes.filter(({ state }) => state === 'off').map(({ name }): Line => [name, '1']);
	const lines = [...problems.flatMap((problem) => linesFor(problem, daemon)), ...off].filter(
		(line) => !isPresent(line, present)
	);
	if (lines.length === 0) return null;
	const text = lines.map(([key, value]) => `${key}=${value}`).join('\n');
	return { kind: 'conf', reindex: off.length > 0, text };
}
