/** Search suggestions: requested after a pause in typing, and never applied out of order. */
import { SEARCH_BOX } from '#lib/messages/shell.ts';

interface Suggestion {
	/** Empty when it belongs to no single chain. */
	chain: string;
	what: keyof typeof SEARCH_BOX.kinds;
	/** Text, such as "Block 120". */
	words: string;
	/** What distinguishes it from others of its kind; may be empty. */
	note: string;
	href: string;
}

/** Suggestions of one kind with their heading. */
interface SuggestionGroup {
	title: string;
	hits: Suggestion[];
}

/** Pause in typing before the server is asked. Milliseconds. */
const REST_MS = 120;

/** Groups hits by kind, in the order of each kind's best hit. */
function grouped(hits: readonly Suggestion[]): SuggestionGroup[] {
	const titles = hits.map(({ what }) => SEARCH_BOX.kinds[what]);
	const distinct = titles.filter((title, at) => titles.indexOf(title) === at);
	return distinct.map((title) => ({
		title,
		hits: hits.filter(({ what }) => SEARCH_BOX.kinds[what] === title)
	}));
}

export class Suggest {
	#groups: SuggestionGroup[] = $state.raw([]);
	/** The text that the suggestions belong to. */
	#text = $state('');
	/** Whether suggestions could not be fetched; the search page may still work. */
	failed = $state(false);
	#timer: ReturnType<typeof setTimeout> | undefined;
	#asking: AbortController | null = null;

	/** Returns the suggestions for a text; none before they have arrived: others could be chosen by mistake. */
	groupsFor(text: string): SuggestionGroup[] {
		return this.#text === text.trim() ? this.#groups : [];
	}

	/** Requests suggestions after a pause in typing; drops the previous request. */
	type(text: string): void {
		this.cancel();
		const wanted = text.trim();
		if (wanted === '') {
			this.#groups = [];
			this.#text = '';
			return;
		}
		this.#timer = setTimeout(() => void this.#ask(wanted), REST_MS);
	}

	/** Cancels a pending request. */
	cancel(): void {
		clearTimeout(this.#timer);
		this.#asking?.abort();
		this.#asking = null;
	}

	async #ask(text: string): Promise<void> {
		const asking = new AbortController();
		this.#asking = asking;
		try {
			const answer = await fetch(`/api/search?q=${encodeURIComponent(text)}`, {
				signal: asking.signal,
				headers: { accept: 'application/json' }
			});
			if (!answer.ok) throw new Error(`status ${answer.status}`);
			const { hits } = (await answer.json()) as { hits: Suggestion[] };
			if (asking.signal.aborted) return;
			this.#groups = grouped(hits);
			this.#text = text;
			this.failed = false;
		} catch {
			if (asking.signal.aborted) return;
			this.#groups = [];
			this.failed = true;
		}
	}
}
