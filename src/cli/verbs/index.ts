import { INDEX_VERB, TABLE_HEADS, USAGE } from '#lib/messages/commandLine.ts';
import { duration } from '#lib/text/duration.ts';
import { readHeight } from '#lib/text/height.ts';
import { indexed } from '#lib/text/indexed.ts';
import { createIndexOrders } from '#lib/server/chains/indexer/orders.ts';
import { allProgress, type ChainProgress } from '#lib/server/chains/lists/chains.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { readArguments } from '../readArguments.ts';
import { table } from '../table.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';
import { withIndex } from '../withIndex.ts';

function lineOf(progress: ChainProgress): string[] {
	const { name, state, paused, height, target, rate, problem } = progress;
	const { secondsLeft } = indexed(progress);
	return [
		name,
		paused ? INDEX_VERB.paused : state,
		String(height),
		String(target),
		rate > 0 ? String(rate) : INDEX_VERB.unknown,
		secondsLeft === null ? INDEX_VERB.unknown : duration(secondsLeft),
		paused ? '' : (problem ?? '')
	];
}

export const verb: Verb = {
	usage: USAGE.index,
	async run(args, { env, out }) {
		const { values, positionals } = readArguments({
			args,
			options: { from: { type: 'string' } }
		});
		const [act, chain, ...more] = positionals;
		const wrong = (): AppError => new AppError('usage.form', { form: 'index' });
		if (more.length > 0) throw wrong();
		if (act === 'list' && chain === undefined && values.from === undefined) {
			const all = await withAuth(env, () => withIndex(env, allProgress));
			if (all.size === 0) out(INDEX_VERB.none);
			else for (const line of table(TABLE_HEADS.index, [...all.values()].map(lineOf))) out(line);
			return 0;
		}
		if (chain === undefined) throw wrong();
		return withAuth(env, ({ audit }) =>
			withIndex(env, async (index) => {
				const orders = createIndexOrders({ index, record: (_by, entry) => audit.append(entry) });
				if ((act === 'pause' || act === 'resume') && values.from === undefined) {
					const changed = await orders[act](chain, null);
					out((changed ? INDEX_VERB.done : INDEX_VERB.unchanged)[act](chain));
					return 0;
				}
				const from = readHeight(values.from ?? '');
				if (act !== 'reindex' || from === null) throw wrong();
				await orders.reindex(chain, from, null);
				const paused = (await orders.pausedBy(chain)) !== null;
				out(INDEX_VERB.reindexed(chain, from, paused));
				return 0;
			})
		);
	}
};
