/** The help topics, in display order; each is a page at `/help/` plus its name. */
import { controls } from './controls.ts';
import { migrations } from './migrations.ts';
import { notaryApprovals } from './notaryApprovals.ts';
import { quickStart } from './quickStart.ts';
import { rpcApi } from './rpcApi.ts';
import { selfImports } from './selfImports.ts';
import { sending } from './sending.ts';
import { tokens } from './tokens.ts';
import { tradingNode } from './tradingNode.ts';
import type { HelpTopic } from './topic.ts';

export const HELP_TOPICS: ReadonlyMap<string, HelpTopic> = new Map([
	['quick-start', quickStart],
	['sending', sending],
	['tokens', tokens],
	['migrations', migrations],
	['notary-approvals', notaryApprovals],
	['self-imports', selfImports],
	['controls', controls],
	['trading-node', tradingNode],
	['rpc-api', rpcApi]
]);
