import type { Delivery } from '#lib/messages/errors/daemon.ts';
import { isJsonObject, JsonNumber } from '#lib/rpc/json.ts';
import { passwordRefusal, type KdfAnswer, type KdfRefusal } from '#lib/rpc/kdf/envelope.ts';
import type { KdfSaid } from '../../chains/daemon/answers/read.ts';
import type { HttpAnswer } from '../../chains/daemon/exchange.ts';
import type { KdfState, KdfStop } from './kdfTypes.ts';

/** The attempts that are left, as the node counts them in the data or the text of its refusal. */
function attemptsLeft({ data, message }: KdfRefusal): number | null {
	const told = isJsonObject(data) ? data['error_data'] : undefined;
	if (told instanceof JsonNumber) return told.toNumber();
	const found = /attempts left: (\d+)/.exec(message);
	return found === null ? null : Number(found[1]);
}

/** A failure that says no more than its code. */
type PlainCode = 'kdf.not-kdf' | 'kdf.too-large' | 'kdf.local-only';

/** What an answer means for its call and for what is known of the node. */
type Judgement =
	/** Null for a result that is too large to be read before somebody asks for it. */
	| { kind: 'said'; said: KdfAnswer | null }
	| { kind: 'password-refused'; reason: KdfStop['reason']; attemptsLeft: number | null }
	/** By the node, or by a proxy before the password was looked at. */
	| { kind: 'perhaps-refused' }
	/** The node speaks, but not as it should. */
	| { kind: 'mismatch' }
	| {
			kind: 'failed';
			code: PlainCode;
			delivery: Delivery;
			/** The node speaks, but not as it should. */
			isMismatch?: true;
			/** What the node is by this. */
			state?: KdfState;
	  };

const noKdf: Judgement = {
	kind: 'failed',
	code: 'kdf.not-kdf',
	delivery: 'unknown',
	state: 'down'
};

/**
 * Judges an answer by what was read in it.
 * @param password of the call: none, or one that the node has accepted before, or one that may be wrong
 */
export function judgeAnswer(
	found: KdfSaid,
	{ status, body }: HttpAnswer,
	password: 'none' | 'accepted' | 'untried'
): Judgement {
	switch (found.kind) {
		case 'excess':
			return { kind: 'failed', code: 'kdf.too-large', delivery: 'delivered', isMismatch: true };
		case 'not-json':
			if (status === 401 || status === 403) {
				// The node says it in its own words, which a proxy in front may hide; or the proxy itself refuses the call.
				if (password === 'untried') {
					return { kind: 'password-refused', reason: 'wrong', attemptsLeft: null };
				}
				return password === 'none' ? noKdf : { kind: 'perhaps-refused' };
			}
			// KDF: its HTTP library says so when a handler ended without an answer.
			return status >= 500 && body.includes('aborted without responding')
				? { kind: 'failed', code: 'kdf.not-kdf', delivery: 'unknown' }
				: noKdf;
		case 'no-envelope':
			return { kind: 'mismatch' };
		case 'other-call':
			return noKdf;
		case 'large':
		case 'said':
	}
	const said = found.kind === 'large' ? null : found.said;
	if (said === null || said.kind === 'result') {
		return status >= 200 && status < 300 ? { kind: 'said', said } : noKdf;
	}
	const refusal = passwordRefusal(said.error);
	if (refusal === null) return { kind: 'said', said };
	if (refusal === 'elsewhere') {
		return { kind: 'failed', code: 'kdf.local-only', delivery: 'not-sent', state: 'elsewhere' };
	}
	return { kind: 'password-refused', reason: refusal, attemptsLeft: attemptsLeft(said.error) };
}
