/** How many parcels one page shows. */
export const PAGE_SIZE = 25;

/** How often a courier is asked again before the booking is given up. */
export const COURIER_RETRIES = 5;

/** Columns a list may be sorted by. Nothing else ever reaches a query. */
export const SORTABLE = ["created", "weight", "price"] as const;
