interface LiveStatus {
	/** Whether this page hears of news at once; one that does not looks by itself. */
	live: boolean;
	/** Why the page is not fetched again although there are news: it would not be served, and something is typed on it. */
	held: 'later' | 'refused' | null;
}

export const liveStatus: LiveStatus = $state({ live: false, held: null });
