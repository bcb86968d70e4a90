import { TABLE_HEADS } from '#lib/messages/commandLine.ts';
import { readsOnly } from '#lib/server/chains/daemon/gateway.ts';
import { explainKdf } from '#lib/messages/explained/kdf.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Db } from '#lib/server/database.ts';
import { createKdfGateway } from '#lib/server/kdf/client/kdfGateway.ts';
import { createKdfStops } from '#lib/server/kdf/client/kdfStops.ts';
import type { KdfGateway, KdfInfo } from '#lib/server/kdf/client/kdfTypes.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import type { Config } from '#lib/server/platform/config/types.ts';
import { table } from './table.ts';
import { withAuth } from './withAuth.ts';

const TIMEOUT_MS = 5_000;

/**
 * Opens the gateway to the trading nodes with the data of the environment. Refused passwords are remembered
 * there, so that repeated checks do not lead to a ban.
 */
export function withNodes<T>(
	config: Config,
	env: NodeJS.ProcessEnv,
	use: (nodes: KdfGateway, audit: Auth['audit']) => Promise<T>
): Promise<T> {
	const ask = async ({ audit }: Auth, db: Db): Promise<T> => {
		const nodes = createKdfGateway(config, {
			stops: createKdfStops(db),
			audit,
			pollEvery: null,
			refusal: readsOnly
		});
		try {
			return await use(nodes, audit);
		} finally {
			await nodes.close();
		}
	};
	// Settings are checked before the first start, too.
	return withAuth(env, ask, { mayBeNew: true });
}

const row = (info: KdfInfo, coins: string, problem: string): string[] => [
	info.id,
	info.url,
	info.state,
	info.version ?? '-',
	info.version === null && info.state !== 'up' ? '-' : info.dialect,
	coins,
	problem
];

async function look(nodes: KdfGateway, id: string): Promise<{ row: string[]; ok: boolean }> {
	let coins = '-';
	let problem = '';
	try {
		const found = await nodes.call(id, 'get_enabled_coins', {}, { timeoutMs: TIMEOUT_MS });
		coins = String(found.coins.length);
	} catch (error) {
		if (!isAppError(error, 'kdf')) throw error;
		const { what, next } = explainKdf(error.coded);
		// A node of the interface document does not have this method.
		const unknown =
			isAppError(error, 'kdf.rpc-error') &&
			error.params.refusal.type === 'NoSuchMethod' &&
			(await isSeed(nodes, id));
		if (!unknown) problem = `${what} ${next}`;
	}
	const info = (await nodes.node(id))!;
	return { row: row(info, coins, problem), ok: problem === '' };
}

async function isSeed(nodes: KdfGateway, id: string): Promise<boolean> {
	return (await nodes.node(id))?.dialect === 'seed';
}

/** Queries every trading node and prints a table; true when all are fine or there are none. */
export function checkKdfs(
	config: Config,
	env: NodeJS.ProcessEnv,
	out: (line: string) => void
): Promise<boolean> {
	if (config.nodes.length === 0) return Promise.resolve(true);
	return withNodes(config, env, async (nodes) => {
		const findings = await Promise.all(config.nodes.map(({ id }) => look(nodes, id)));
		for (const line of table(
			TABLE_HEADS.nodes,
			findings.map((finding) => finding.row)
		)) {
			out(line);
		}
		return findings.every(({ ok }) => ok);
	});
}
