import type { Delivery } from './daemon.ts';
import { withStatus, type ErrorArea } from './define.ts';

interface Sent {
	/** Never `delivered` but for answers that had begun. */
	delivery: Delivery;
}

/** A request over HTTP that got no whole answer. */
export const transport = {
	'transport.unreachable': {
		status: 502,
		message: (_sent: Readonly<Sent>) => 'No connection came about.'
	},
	/** The time ran out before there was a connection: the next try would wait as long. */
	'transport.silent': {
		status: 504,
		message: (_sent: Readonly<Sent>) => 'No connection came about in time.'
	},
	/** The certificate that was shown is not trusted: nothing was sent. */
	'transport.untrusted': {
		status: 502,
		message: (_sent: Readonly<Sent>) => 'The certificate that was shown is not trusted.'
	},
	'transport.timeout': {
		status: 504,
		message: ({ timeoutMs }: Readonly<Sent> & { timeoutMs: number }) =>
			`No answer within ${timeoutMs} ms.`
	},
	...withStatus(502, {
		'transport.truncated': (_sent: Readonly<Sent>) =>
			'The connection ended before the answer was whole.',
		'transport.too-large': ({ maxBytes }: Readonly<Sent> & { maxBytes: number }) =>
			`The answer is larger than ${maxBytes} bytes.`
	})
} satisfies ErrorArea<'transport'>;
