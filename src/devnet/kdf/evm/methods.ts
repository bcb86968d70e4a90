import type { V2Method } from '../context.ts';
import { enableToken } from './enableToken.ts';
import { enableWithTokens } from './enableWithTokens.ts';
import { initTask } from './initTask.ts';
import { initToken } from './initToken.ts';

export const evmMethods: ReadonlyMap<string, V2Method> = new Map<string, V2Method>([
	['enable_eth_with_tokens', enableWithTokens],
	['task::enable_eth::init', initTask],
	['task::enable_erc20::init', initToken],
	['enable_erc20', enableToken],
	['enable_nft', enableToken]
]);
