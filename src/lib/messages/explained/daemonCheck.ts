/** Explains problems that the check of a daemon found. The texts contain no credential. */
import { explainDaemon, type DaemonError } from '../errors/explainDaemon.ts';
import type { Explanation } from '../errors/explanation.ts';

/** Why a daemon cannot be used, or not for everything. */
export type CheckProblem =
	| { readonly code: 'failed'; readonly error: DaemonError }
	/** The response to `getinfo` has an unknown form. */
	| { readonly code: 'unreadable' }
	/** It does not serve `getinfo`. */
	| { readonly code: 'no-getinfo' }
	| { readonly code: 'sapling-inactive' }
	| { readonly code: 'no-pubkey' };

/** Returns the problem, and what to do about it. */
export function explainCheck(problem: CheckProblem): Omit<Explanation, 'safe'> {
	switch (problem.code) {
		case 'failed':
			return explainDaemon(problem.error);
		case 'unreadable':
			return {
				what: 'getinfo answers in a form that is not known.',
				next: 'Use a release of the Komodo daemon that is supported (0.9.0 is).'
			};
		case 'no-getinfo':
			return {
				what: 'It does not serve getinfo, so its chain, CCid, height and public key are unknown.',
				next: 'Transactions and migrations need them: use a release of the Komodo daemon (0.9.0 is supported).'
			};
		case 'sapling-inactive':
			return {
				what: 'Sapling is not active yet.',
				next: 'Wait until the chain has reached the block where Sapling begins.'
			};
		case 'no-pubkey':
			return {
				what: 'It runs without -pubkey, so it cannot build token transactions.',
				next: 'Set the public key of one of its wallet’s keys, and restart the daemon.'
			};
	}
}
