/** A rule of the policies: for whom and what it is, and what it does. Pure. */
import { z } from 'zod';
import { RULE_KIND_WORDS, type RuleKind } from '#lib/messages/policies/kinds.ts';
import { ROLES } from '../roles.ts';

export type { RuleKind };

export const RULE_KINDS = Object.keys(RULE_KIND_WORDS) as RuleKind[];

const satoshi = z
	.string()
	.regex(/^\d{1,19}$/)
	.transform(BigInt);

const who = z.discriminatedUnion('is', [
	z.object({ is: z.literal('anyone') }),
	z.object({ is: z.literal('role'), role: z.enum(ROLES) }),
	/** An account's id. */
	z.object({ is: z.literal('member'), account: z.string() }),
	/** An API token's id. */
	z.object({ is: z.literal('token'), token: z.string() }),
	/** Any API token, whoever made it. */
	z.object({ is: z.literal('any-token') })
]);

const asset = z.discriminatedUnion('is', [
	z.object({ is: z.literal('any') }),
	z.object({ is: z.literal('coin'), chain: z.string() }),
	z.object({ is: z.literal('token'), chain: z.string(), tokenid: z.string() })
]);

const recipient = z.discriminatedUnion('is', [
	z.object({ is: z.literal('anyone') }),
	/** A wallet of this installation. */
	z.object({ is: z.literal('own') }),
	/** Addresses; what a label of the address book stood for is written down with the rule. */
	z.object({
		is: z.literal('listed'),
		listed: z.array(z.object({ address: z.string(), label: z.string().nullable() })).min(1)
	})
]);

const effect = z.discriminatedUnion('is', [
	z.object({ is: z.literal('allow') }),
	z.object({ is: z.literal('deny') }),
	z.object({
		is: z.literal('approve'),
		/** How many of them have to approve, besides the author. */
		needed: z.number().int().min(1).max(20),
		/** Ids of accounts. */
		members: z.array(z.string()),
		roles: z.array(z.enum(ROLES))
	})
]);

const body = z.object({
	who,
	/** The daemon whose wallet it is; null: any. */
	wallet: z.string().nullable(),
	/** Null: every kind. */
	kind: z.enum(RULE_KINDS).nullable(),
	asset,
	/** More than this in one transaction, in satoshi or base units; null: not asked. */
	over: satoshi.nullable(),
	/** More than this within a time, with what went out before; null: not asked. */
	window: z
		.object({
			hours: z.number().int().min(1).max(720),
			total: satoshi.nullable(),
			count: z.number().int().min(0).max(1_000_000).nullable()
		})
		.nullable(),
	recipient,
	effect
});

export type RuleBody = z.infer<typeof body>;

export interface Rule extends RuleBody {
	id: string;
	/** Counts from 1; what was approved under a rule holds for one revision of it. */
	revision: number;
	/** Its number in the list, from 1. */
	place: number;
}

/** What approves, in a rule that asks for it. */
export type ApproveEffect = Extract<RuleBody['effect'], { is: 'approve' }>;

/** The longest window of a rule, in milliseconds. */
export const LONGEST_WINDOW_MS = 720 * 3_600_000;

/** @throws {z.ZodError} what is stored is no rule: nothing may be judged by the others then */
export const readBody = (text: string): RuleBody => body.parse(JSON.parse(text));

export const writeBody = (rule: RuleBody): string =>
	JSON.stringify(rule, (_name, value: unknown) =>
		typeof value === 'bigint' ? value.toString() : value
	);
