/** Whether this page hears of news at once; one that does not looks by itself. */
export const liveStatus = $state({ live: false });
