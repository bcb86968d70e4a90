import { beforeEach, expect, test, vi } from 'vitest';
import type { FromPage, ToPage } from './live.worker.ts';

/** The browser's part of an event stream. */
class Source extends EventTarget {
	static all: Source[] = [];
	constructor() {
		super();
		Source.all.push(this);
	}
	close(): void {}
	says(type: string, id: string): void {
		this.dispatchEvent(new MessageEvent(type, { data: '{}', lastEventId: id }));
	}
}

beforeEach(async () => {
	Source.all = [];
	vi.stubGlobal('EventSource', Source);
	vi.resetModules();
	await import('./live.worker.ts');
	return () => vi.unstubAllGlobals();
});

/** A page that connects; the types of the events that it gets. */
function page(after: string | null): string[] {
	const got: string[] = [];
	const port = {
		onmessage: (_event: { data: FromPage }): void => undefined,
		postMessage: (message: ToPage) => {
			if (message.kind === 'news') got.push(message.news.message.type);
		}
	};
	const { onconnect } = globalThis as unknown as { onconnect(event: object): void };
	onconnect({ ports: [port] });
	port.onmessage({ data: { kind: 'hello', after, by: 'ada' } });
	return got;
}

test('a page gets the events since it was rendered, which came before it connected', () => {
	page('b.1');
	for (const n of [2, 3]) Source.all[0]!.says('block', `b.${n}`);
	expect(page('b.2')).toEqual(['block']);
});

test('a page that another server rendered reads all anew, since events may have come meanwhile', () => {
	const first = page('b.1');
	Source.all[0]!.says('block', 'b.2');
	expect(page('a.17')).toEqual(['reset']);
	expect(first).toEqual(['block']);
});
