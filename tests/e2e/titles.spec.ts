/** Titles of browser tabs. */
import { expect, test } from './support/console.ts';

const PAGES = [
	'',
	'/addresses',
	'/block/1',
	'/blocks',
	'/imports',
	'/mempool',
	'/mom',
	'/notarizations',
	'/proof',
	'/tokens',
	'/transactions',
	'/transfers'
];

test('tabs of two chains and of two transactions do not look alike', async ({
	request,
	console
}) => {
	const titles: string[] = [];
	const look = async (path: string, chain: string): Promise<void> => {
		const answer = await request.get(path);
		expect(answer.status(), path).toBe(200);
		const title = /<title>(.*)<\/title>/.exec(await answer.text())?.[1] ?? '';
		expect(title.split(' '), path).toContain(chain);
		titles.push(title);
	};
	for (const chain of ['ALPHA', 'BETA']) {
		for (const page of PAGES) await look(`/chains/${chain}${page}`, chain);
		for (const height of [1, 2]) {
			const hash = await console.devnet.rpc<string>(chain, 'getblockhash', height);
			const { tx } = await console.devnet.rpc<{ tx: string[] }>(chain, 'getblock', hash);
			await look(`/chains/${chain}/tx/${tx[0]}`, chain);
		}
	}
	expect(titles.toSorted()).toEqual([...new Set(titles)].toSorted());
});
