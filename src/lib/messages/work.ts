/** Descriptions of open work. */
import { SEND_KINDS } from './pages/transactions.ts';

export type WorkSubject =
	| { code: 'migration'; params: { source: string; destination: string } }
	| { code: 'transaction'; params: { kind: keyof typeof SEND_KINDS; chain: string } }
	| { code: 'batch-transfer'; params: { chain: string } }
	/** `name`: name of the token. */
	| { code: 'draft'; params: { name: string; chain: string } };

export function workMessage(subject: WorkSubject): string {
	switch (subject.code) {
		case 'migration':
			return `Migration from ${subject.params.source} to ${subject.params.destination}`;
		case 'transaction':
			return `${SEND_KINDS[subject.params.kind]} on ${subject.params.chain}`;
		case 'batch-transfer':
			return `Batch transfer on ${subject.params.chain}`;
		case 'draft':
			return `Draft of the token ${subject.params.name} on ${subject.params.chain}`;
	}
}
