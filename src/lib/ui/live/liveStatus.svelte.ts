interface LiveStatus {
	/** Whether this page receives events; otherwise it polls. */
	live: boolean;
	/**
	 * Why the page is not reloaded despite news: something is typed on it, and the server would not serve
	 * it now (`later`) or refuses it.
	 */
	held: 'later' | 'refused' | null;
}

export const liveStatus: LiveStatus = $state({ live: false, held: null });
