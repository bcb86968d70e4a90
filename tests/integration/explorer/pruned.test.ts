/** A chain whose only daemon has dropped its first blocks, so that nothing of it can be indexed. */
import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexNotice } from '#lib/messages/indexNotice.ts';
import { addressPage } from '#lib/messages/pages/address.ts';
import { freePort } from '../../support/freePort.ts';
import { startProduct } from '../../support/product.ts';
import { signIn } from '../../support/productClient.ts';
import { shared } from '../../support/shared.ts';
import { smallChain } from '../../support/smallChain.ts';
import { answer, echo, rpcLine } from '../../support/upstream.ts';
import { listening } from '../../support/listening.ts';
import { ALICE } from '../../../src/devnet/ledger/testkit/keys.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

const PRUNED = '{"code":-32603,"message":"Block not available (pruned data)"}';
/** The product may have to be built. */
const WITHIN_MS = 300_000;

/** Forwards calls to a daemon, except for the bytes of its first block. */
function pruning(target: string): Server {
	return createServer((request, response) => {
		void (async () => {
			let text = '';
			for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
			const calls = [JSON.parse(text)].flat() as { method: string; params: unknown[] }[];
			if (calls.some(({ method, params }) => method === 'getblock' && params[0] === '0')) {
				const seen = { authorization: '', contentType: '', text, method: 'getblock' };
				const error = rpcLine('null', echo(seen), PRUNED).trim();
				answer(response, text.startsWith('[') ? `[${error}]` : error, 500);
				return;
			}
			const authorization = request.headers.authorization ?? '';
			const told = await fetch(target, { method: 'POST', headers: { authorization }, body: text });
			answer(response, await told.text(), told.status);
		})();
	});
}

const running = shared(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-pruned-'));
	const chain = smallChain({ name: 'AMBER', ccid: 101, blocks: 3 }, await freePort());
	await chain.daemon.http.open();
	const server = pruning(chain.entry.url);
	const port = await listening(server);
	const config = join(folder, 'daemons.json');
	const entry = { ...chain.entry, url: `http://127.0.0.1:${port}` };
	writeFileSync(config, JSON.stringify({ daemons: [entry] }));
	const product = await startProduct({ dataDir: join(folder, 'data'), config });
	return {
		url: product.url,
		async stop() {
			await product.stop();
			await closeAtOnce(server);
			await chain.daemon.http.close();
			rmSync(folder, { recursive: true, force: true });
		}
	};
});

test(
	'a chain of which nothing can be indexed is not described by what the index lacks',
	{ timeout: WITHIN_MS },
	async () => {
		const client = await signIn(running.url);
		const shown = async (path: string): Promise<string> => (await client.text(path)).text;
		await expect
			.poll(() => shown('/chains/AMBER'), { timeout: 60_000 })
			.toContain('Block not available (pruned data)');
		const summary = await shown('/chains/AMBER');
		expect(summary).toContain(indexNotice.notStarted.text('AMBER'));
		expect(summary).toMatch(/href="\/chains\/AMBER\/tokens"[^>]*>Unknown</);
		expect(summary).not.toContain('on the last day');
		expect(await shown('/chains/AMBER/tokens')).toContain(indexNotice.nothing.title('tokens'));
		const { none } = addressPage.tokens;
		const tokens = await shown(`/chains/AMBER/address/${ALICE.address}?tab=tokens`);
		expect(tokens).toContain(none.unknown.title('AMBER'));
		expect(tokens).not.toContain(none.gone.text);
		expect(await shown('/chains/AMBER/notarizations')).toContain(
			indexNotice.nothing.title('notarizations')
		);
	}
);
