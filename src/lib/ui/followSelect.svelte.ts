/**
 * Keeps a select at a value that changes by itself: with the back button, say. An option that somebody chose by hand no
 * longer hears of its `selected`. What was chosen while only the server's HTML was there stays. For an attachment.
 */
export function followSelect(select: HTMLSelectElement, value: () => string): void {
	let isFirst = true;
	$effect(() => {
		const wanted = value();
		const isThere = [...select.options].some((option) => option.value === wanted);
		if (!isFirst && isThere) select.value = wanted;
		isFirst = false;
	});
}
