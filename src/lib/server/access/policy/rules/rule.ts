/** A rule of the policies: its conditions and its effect. Pure. */
import { z } from 'zod';
import { RULE_KIND_WORDS, type RuleKind } from '#lib/messages/policies/kinds.ts';
import { HOUR_MS } from '#lib/text/units.ts';
import { ROLES } from '../../identity/roles.ts';

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
	/** Any API token, whoever created it. */
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
	/**
	 * Addresses. For a label of the address book, the address is stored as it was when the rule was saved.
	 */
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
		/** Number of approvals needed; the author's own does not count. */
		needed: z.number().int().min(1).max(20),
		/** Ids of accounts. */
		members: z.array(z.string()),
		roles: z.array(z.enum(ROLES))
	})
]);

const body = z.object({
	who,
	/** The daemon whose wallet pays; null: any. */
	wallet: z.string().nullable(),
	/** Null: every kind. */
	kind: z.enum(RULE_KINDS).nullable(),
	asset,
	/** Fits above this amount of one transaction, in satoshi or base units; null: no condition. */
	over: satoshi.nullable(),
	/** Fits when the earlier sends of the window and this one exceed a maximum; null: no condition. */
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
	/** Counts from 1. Approvals given under a rule hold for one revision of it. */
	revision: number;
	/** Its number in the list, from 1. */
	place: number;
}

/** The effect of a rule that needs approvals. */
export type ApproveEffect = Extract<RuleBody['effect'], { is: 'approve' }>;

/** The longest window of a rule, in milliseconds. */
export const LONGEST_WINDOW_MS = 720 * HOUR_MS;

/**
 * Parses a stored rule.
 * @throws {z.ZodError} on an invalid one: then nothing may be judged by the remaining rules alone
 */
export const readBody = (text: string): RuleBody => body.parse(JSON.parse(text));

/** Returns a rule as JSON, with amounts as decimal digits. */
export const writeBody = (rule: RuleBody): string =>
	JSON.stringify(rule, (_name, value: unknown) =>
		typeof value === 'bigint' ? value.toString() : value
	);
