import { expect, test } from 'vitest';
import { affectedBy } from './affected.ts';

const NOTHING = { application: false, devnet: false, indexer: false, entry: false };

test.each([
	['src/lib/server/rpc-proxy/rpcApi.ts', { application: true, indexer: true }],
	['src/lib/rpc/codec.ts', { application: true, devnet: true, indexer: true }],
	['src/lib/messages/errors/indexer.ts', { application: true, indexer: true }],
	['src/lib/text/confusables.ts', { application: true, indexer: true }],
	['src/devnet/ledger/block.ts', { devnet: true }],
	['src/start/serve.ts', { entry: true }],
	['src/routes/+page.svelte', {}],
	['src/lib/ui/frame/theme.ts', {}],
	['src/lib/rpc/codec.test.ts', {}]
])('a change of %s concerns what runs it', (path, expected) => {
	expect(affectedBy([path])).toEqual({ ...NOTHING, ...expected });
});
