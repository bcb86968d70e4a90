/** The event stream of one client. */

/** Bytes that may be buffered before a slow client is disconnected: it reconnects and gets what it missed. */
const WAITING_BYTES = 64 * 1024;

export interface EventStream {
	body: ReadableStream<Uint8Array>;
	send(text: string): void;
	/** Ends the response; nothing is sent afterwards. */
	end(): void;
}

/** @param onEnd called once, whichever side ended the stream */
export function createEventStream(onEnd: () => void): EventStream {
	const encoder = new TextEncoder();
	let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
	const over = (): boolean => {
		if (controller === null) return false;
		controller = null;
		onEnd();
		return true;
	};
	const body = new ReadableStream<Uint8Array>(
		{
			start(given) {
				controller = given;
			},
			cancel() {
				over();
			}
		},
		new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES })
	);
	return {
		body,
		send(text) {
			const open = controller;
			if (open === null || text === '') return;
			open.enqueue(encoder.encode(text));
			if ((open.desiredSize ?? 0) < 0 && over()) {
				open.error(new Error('The reader of the event stream is too slow.'));
			}
		},
		end() {
			const open = controller;
			if (over()) open?.close();
		}
	};
}
