import { OTHER_RELEASE } from '../otherRelease.ts';

/** Names of what policy rules distinguish, for choices and within a sentence. */
export const RULE_KIND_WORDS = {
	'coin-send': { title: 'Sends of coins', many: 'sends of coins' },
	'token-create': { title: 'Token creations', many: 'token creations' },
	'token-transfer': { title: 'Token transfers', many: 'token transfers' },
	'token-burn': { title: 'Token burns', many: 'token burns' },
	migration: { title: 'Migrations', many: 'migrations' },
	'self-import': { title: 'Self-imports', many: 'self-imports' },
	'notary-approval': { title: 'Notary approvals', many: 'notary approvals' },
	activation: { title: 'Activations of coins', many: 'activations of coins' },
	sign: { title: 'Signatures', many: 'signatures' },
	call: {
		title: 'Writing calls of the RPC console and the RPC API',
		many: 'writing calls of the RPC console and the RPC API'
	}
} as const;

export type RuleKind = keyof typeof RULE_KIND_WORDS;

export const isRuleKind = (text: string): text is RuleKind => Object.hasOwn(RULE_KIND_WORDS, text);

/** Returns the name of a stored kind. */
export const kindTitle = (kind: string): string =>
	isRuleKind(kind) ? RULE_KIND_WORDS[kind].title : OTHER_RELEASE;
