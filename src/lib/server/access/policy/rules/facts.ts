/**
 * What a transaction or a call does, as the rules see it: read from bytes, never from claims of the caller.
 */
import { sumOf } from '#lib/chain/amount.ts';
import type { RecordedValue } from '#lib/messages/audit/values.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { totalsOf } from '#lib/messages/policies/movements.ts';
import type { AppError } from '../../../platform/errors/appError.ts';
import type { Role } from '../../identity/roles.ts';
import type { RuleKind } from './rule.ts';

/** The recipient of a part of an amount. */
export type Recipient =
	/** `own`: it belongs to the wallet that pays, or to another wallet of this installation. */
	| { is: 'address'; address: string; own: boolean }
	/** No one is paid: a burned token, an approval, a signature. */
	| { is: 'nobody' }
	/** The bytes do not tell. */
	| { is: 'unknown' };

export interface Part {
	recipient: Recipient;
	/** Satoshi or base units; null where it cannot be determined. */
	amount: bigint | null;
}

/** What is sent as one kind, of one asset. */
export interface Movement {
	kind: RuleKind;
	chain: string;
	/** Null for coins, and where no asset moves. */
	tokenid: string | null;
	/** One for each recipient; at least one. */
	parts: readonly Part[];
	/** What is taken without a recipient: the fee. Satoshi or base units. */
	rest: bigint;
}

/** The member who acts. */
interface Doer {
	/** An account's id. */
	account: string;
	role: Role;
	/** Id of the API token that the request came with; null for none. */
	token: string | null;
}

export interface Facts extends Doer {
	/** Identity of what is judged: earlier uses of the same ref and wallet do not add to a window. */
	ref?: string;
	/** Id of the daemon or trading node. */
	wallet: string;
	movements: readonly Movement[];
}

/** A part of something that was sent before. */
export interface PastUse extends Doer {
	ref: string;
	wallet: string;
	kind: RuleKind;
	chain: string;
	tokenid: string | null;
	recipient: Recipient;
	/** Satoshi or base units; null when the amount is unknown. */
	amount: bigint | null;
	/** Unix milliseconds. */
	at: number;
}

/** Returns the movement of an action that moves nothing: a call, a signature, an activation. */
export const still = (kind: RuleKind, chain: string): Movement => ({
	kind,
	chain,
	tokenid: null,
	parts: [{ recipient: { is: 'nobody' }, amount: 0n }],
	rest: 0n
});

/** Returns the addresses that movements pay. */
export const paidBy = (movements: readonly Movement[]): string[] =>
	movements.flatMap(({ parts }) =>
		parts.flatMap(({ recipient }) => (recipient.is === 'address' ? [recipient.address] : []))
	);

/** Addresses whose daemons could not be asked whether they are their wallets': they count as foreign for now. */
export interface OwnDoubt {
	addresses: ReadonlySet<string>;
	/** Why one of the daemons did not say. */
	failed: AppError<CodesOf<'daemon'>>;
}

/** Returns the movements with the recipients in `own` marked as wallets of this installation. */
export const withOwn = (movements: readonly Movement[], own: ReadonlySet<string>): Movement[] =>
	movements.map((movement) => ({
		...movement,
		parts: movement.parts.map(({ recipient, amount }) => ({
			recipient:
				recipient.is === 'address' && own.has(recipient.address)
					? { ...recipient, own: true }
					: recipient,
			amount
		}))
	}));

/** Movements as JSON; equal for equal ones. */
export const storedMovements = (movements: readonly Movement[]): string =>
	JSON.stringify(
		movements.map(({ kind, chain, tokenid, parts, rest }) => ({
			kind,
			chain,
			tokenid,
			rest: rest.toString(),
			parts: parts.map(({ recipient, amount }) => ({
				recipient,
				amount: amount === null ? null : amount.toString()
			}))
		}))
	);

interface StoredMovement extends Omit<Movement, 'parts' | 'rest'> {
	parts: readonly { recipient: Recipient; amount: string | null }[];
	rest: string;
}

/** Parses what {@link storedMovements} wrote. */
export const readMovements = (text: string): Movement[] =>
	(JSON.parse(text) as StoredMovement[]).map(({ parts, rest, ...movement }) => ({
		...movement,
		rest: BigInt(rest),
		parts: parts.map(({ recipient, amount }) => ({
			recipient,
			amount: amount === null ? null : BigInt(amount)
		}))
	}));

/** Returns what movements move as events hold it. */
export const recordedMovements = (movements: readonly Movement[]): RecordedValue => ({
	code: 'moved',
	params: { movements: totalsOf(movements) }
});

/** The amount of a movement, its fee included; null where it cannot be determined. */
export const takenBy = ({ parts, rest }: Pick<Movement, 'parts' | 'rest'>): bigint | null =>
	sumOf([rest, ...parts.map(({ amount }) => amount)]);
