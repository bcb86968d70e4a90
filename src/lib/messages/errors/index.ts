/**
 * The error catalog: every code with its HTTP status and its message, one file per area. The code is what is
 * stored, compared and returned to scripts; the message is rendered here, for output. Another language would be
 * another file per area.
 */
import { safety, signature, wallet } from './access.ts';
import { account } from './account.ts';
import { activation } from './activation.ts';
import { addressBook } from './addressBook.ts';
import { answer } from './answer.ts';
import { api } from './api.ts';
import { assignment } from './assignment.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { config } from './config.ts';
import { consoleForm } from './console.ts';
import { credentials } from './credentials.ts';
import { daemon } from './daemon.ts';
import { database } from './database.ts';
import { egress } from './egress.ts';
import { factor } from './factor.ts';
import { indexer } from './indexer.ts';
import { engine, lease } from './job.ts';
import { kdf } from './kdf.ts';
import { limit } from './limit.ts';
import { mm2 } from './mm2.ts';
import { queue } from './queue.ts';
import { secret } from './secret.ts';
import { notice } from './notice.ts';
import { notaryApproval } from './notaryApproval.ts';
import { approval, change, policy } from './policy.ts';
import { selfImport } from './selfImport.ts';
import { signOn } from './signOn.ts';
import { tokenLimit } from './tokenLimit.ts';
import { transaction } from './transaction.ts';
import { transport } from './transport.ts';
import { usage } from './usage.ts';
import { utxos } from './utxos.ts';
import { verification } from './verification.ts';
import { walletDaemon } from './walletDaemon.ts';
import { work } from './work.ts';
import type { Params, ParamsOf } from './define.ts';
import { reviews } from './reviews.ts';

export const ERRORS = {
	...account,
	...activation,
	...addressBook,
	...answer,
	...approval,
	...api,
	...assignment,
	...audit,
	...backup,
	...change,
	...config,
	...consoleForm,
	...credentials,
	...daemon,
	...database,
	...egress,
	...engine,
	...factor,
	...indexer,
	...kdf,
	...lease,
	...limit,
	...mm2,
	...policy,
	...queue,
	...safety,
	...secret,
	...signature,
	...signOn,
	...tokenLimit,
	...transport,
	...usage,
	...wallet,
	...reviews,
	...notaryApproval,
	...notice,
	...selfImport,
	...transaction,
	...utxos,
	...verification,
	...walletDaemon,
	...work
};

type Catalogue = typeof ERRORS;

/** Stable: stored, returned to scripts, and shown next to the message. */
export type ErrorCode = keyof Catalogue;

/** Parameters of an error's message. */
export type ErrorParams<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
	? ParamsOf<Catalogue[Code]['message']>
	: never;

/** The area of a code: the part before the dot. */
export type ErrorAreaName = ErrorCode extends `${infer Area}.${string}` ? Area : never;

/** The codes of an area, or a single code. */
export type CodesOf<Selector extends ErrorCode | ErrorAreaName> = Selector extends ErrorCode
	? Selector
	: Extract<ErrorCode, `${Selector}.${string}`>;

/** An error as it is stored and passed on, without its message. */
export type CodedError<Code extends ErrorCode = ErrorCode> = {
	[C in Code]: { readonly code: C; readonly params: ErrorParams<C> };
}[Code];

/** Renders the message of an error, as whole sentences. */
export function errorMessage<Code extends ErrorCode>(
	code: Code,
	params: ErrorParams<Code>
): string {
	const { message }: { message(params: Params): string } = ERRORS[code];
	return message(params);
}

/** Returns HTTP status and form field of an error; null when it concerns no field, or not always the same one. */
export function errorFacts(code: ErrorCode): { status: number; field: string | null } {
	const { status, field }: { status: number; field?: string } = ERRORS[code];
	return { status, field: field ?? null };
}
