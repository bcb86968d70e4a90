/** Anyone can burn coins with the name of another chain as their source, or with none: daemons import them all the same. */
import { expect, it } from 'vitest';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { headlineMessage } from '#lib/messages/headlines.ts';
import { activityMessage } from '#lib/messages/overview.ts';
import { newestActivity } from '#lib/server/chains/explorer/activity.ts';
import { indexedBlock } from '#lib/server/chains/explorer/indexedBlock.ts';
import { indexedTransaction } from '#lib/server/chains/explorer/indexedTransaction.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { allProgress } from '#lib/server/chains/lists/chains.ts';
import { flows } from '#lib/server/chains/lists/flows.ts';
import { imports } from '#lib/server/chains/lists/imports.ts';
import type { Ledger } from '../../../src/devnet/ledger/ledger.ts';
import { COIN } from '../../../src/devnet/ledger/testkit/chain.ts';
import { newNetwork } from '../../../src/devnet/ledger/testkit/network.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { shared } from '../../support/shared.ts';
import { clear, follow, migrate } from './support.ts';

describeOnBothDatabases(
	'an import whose burn claims another source chain, or none,',
	(database) => {
		const index = shared(() => openIndex(database.options));

		async function indexOf(ledgers: readonly Ledger[]): Promise<void> {
			await clear(index);
			for (const sync of await follow(index, ledgers)) await sync.catchUp();
		}
		const routes = async () => {
			const { rows } = await flows.read(index, { filter: {}, sort: 'source', limit: 50 });
			return rows.map(({ source, burned, burns, imported, imports: count }) => [
				source,
				...[burned, burns, imported, count].map(Number)
			]);
		};

		it('counts for the chain with the burn, in whatever order the chains are indexed', async () => {
			const network = newNetwork();
			const { alpha, beta } = network;
			// The fourth says that the name has five bytes, and ends.
			const claims = ['', 'GAMMA', 'ALPHA', Uint8Array.of(5)];
			for (const [at, named] of claims.entries()) migrate(network, BigInt(at + 1) * COIN, named);
			const [one, two, three, four] = [1n, 2n, 3n, 4n].map((coins) =>
				Number(coins * COIN + IMPORT_FEE)
			);
			const all = one! + two! + three! + four!;
			for (const ledgers of [
				[alpha, beta],
				[beta, alpha]
			]) {
				await indexOf(ledgers);
				expect(await routes()).toEqual([['ALPHA', all, 4, all, 4]]);
			}
			// As long as no indexed chain has the burn, only its claim is known.
			await indexOf([beta]);
			expect(await routes()).toEqual([
				['', 0, 0, one! + four!, 2],
				['ALPHA', 0, 0, three, 1],
				['GAMMA', 0, 0, two, 1]
			]);
		});

		it('is no self-import, and its fee is the miner’s', async () => {
			const network = newNetwork();
			const txid = migrate(network, COIN, '');
			const { kmd, alpha, beta } = network;
			await indexOf([kmd, alpha, beta]);
			const { view } = (await indexedTransaction(index, 'BETA', txid))!;
			expect(headlineMessage(view.headline)).toBe('Imports 1 BETA, source chain not named');
			expect(view.content).toMatchObject({
				code: 'import',
				source: null,
				burnChain: 'ALPHA',
				ccid: 777
			});
			const block = (await indexedBlock(index, 'BETA', String(beta.height)))!;
			expect(block.made.fees).toBe(IMPORT_FEE);
			const query = { chain: 'BETA', filter: {}, sort: '-height', limit: 50 } as const;
			expect((await imports.read(index, query)).rows).toMatchObject([{ source: '', ccid: 777n }]);
			const activity = await newestActivity(index, ['BETA'], await allProgress(index), 50);
			const [arrived] = activity.filter(({ kind }) => kind === 'import');
			expect(activityMessage('import', arrived!.other, null)).toBe(
				'Import, source chain not named'
			);
		});
	}
);
