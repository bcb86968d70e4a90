import { RPC_INVALID_PARAMETER, RPC_METHOD_NOT_FOUND } from '#lib/rpc/errorCodes.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { DIFFICULTY } from './blocks.ts';
import { int } from './coins.ts';
import type { DaemonContext, Handler } from './context.ts';
import { RpcError } from './error.ts';

/** `-1` means that mining is off. */
const threads = ({ miningThreads }: DaemonContext): JsonValue =>
	int(miningThreads > 0 ? miningThreads : -1);

const minerMembers = (context: DaemonContext) => ({
	staking: false,
	generate: context.miningThreads > 0,
	numthreads: threads(context)
});

const getmininginfo: Handler = (context, params) => {
	params.between(0, 0);
	const { ledger, miningThreads } = context;
	return {
		blocks: int(ledger.height),
		currentblocksize: int(miningThreads > 0 ? 1000 : 0),
		currentblocktx: int(0),
		difficulty: DIFFICULTY,
		errors: '',
		genproclimit: threads(context),
		localsolps: int(0),
		networksolps: int(0),
		networkhashps: int(0),
		pooledtx: int(ledger.mempool.size),
		testnet: false,
		chain: 'main',
		...minerMembers(context)
	};
};

const getgenerate: Handler = (context, params) => {
	params.between(0, 0);
	return minerMembers(context);
};

/**
 * Even with mining on, only `generate` mines; other blocks come from the network's automatic mode or the
 * control API.
 */
const setgenerate: Handler = (context, params) => {
	params.between(1, 2);
	const on = params.bool(0);
	const asked = params.has(1) ? params.integer(1) : -1;
	context.miningThreads = on && asked !== 0 ? Math.max(1, asked) : 0;
	return null;
};

const MOST_BLOCKS = 1000;

const generate: Handler = (context, params) => {
	params.between(1, 1);
	const count = params.integer(0);
	// Without on-demand mining, 1 turns block templates off, and any other number turns them on.
	if (context.miningThreads === 0) {
		throw new RpcError(RPC_METHOD_NOT_FOUND, `Mining ${count === 1 ? 'Disabled' : 'Enabled'}`);
	}
	if (count < 0 || count > MOST_BLOCKS)
		throw new RpcError(RPC_INVALID_PARAMETER, 'Invalid parameter');
	return context.mine(count);
};

export const miningHandlers = { getmininginfo, getgenerate, setgenerate, generate };
