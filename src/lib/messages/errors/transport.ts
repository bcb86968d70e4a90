import type { Delivery } from './daemon.ts';
import { withStatus, type ErrorArea } from './define.ts';

interface Sent {
	/** `delivered` only when a response had begun. */
	delivery: Delivery;
}

/** An HTTP request without a complete response. */
export const transport = {
	...withStatus(502, {
		'transport.unreachable': (_sent: Readonly<Sent>) => 'No connection came about.',
		/** The certificate is not trusted: nothing was sent. */
		'transport.untrusted': (_sent: Readonly<Sent>) =>
			'The certificate that was shown is not trusted.',
		'transport.truncated': (_sent: Readonly<Sent>) =>
			'The connection ended before the answer was whole.',
		'transport.too-large': ({ maxBytes }: Readonly<Sent> & { maxBytes: number }) =>
			`The answer is larger than ${maxBytes} bytes.`
	}),
	...withStatus(504, {
		/** The timeout expired before a connection was established: a retry would wait as long. */
		'transport.silent': (_sent: Readonly<Sent>) => 'No connection came about in time.',
		'transport.timeout': ({ timeoutMs }: Readonly<Sent> & { timeoutMs: number }) =>
			`No answer within ${timeoutMs} ms.`
	})
} satisfies ErrorArea<'transport'>;
