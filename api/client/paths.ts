/** Generated from /api/openapi.json: WRITE_CLIENT=1 npx vitest run api/test/data-out/client.test.ts */

/** The calls that need no account, by path: parameters of the path, of the query, and the answer. */
export interface ApiPaths {
  "/api/awards": {
    path: Record<never, never>;
    query: Record<never, never>;
    answer: {
      states: ({
        state: string;
        awards: number;
        offices: number;
        lastKnownOn: string | null;
        isDemonstration: boolean;
        version: string | null;
      })[];
    };
  };
  "/api/awards/offices/{id}": {
    path: { id: string };
    query: Record<never, never>;
    answer: {
      statistics: {
        office: {
          id: string;
          key: string;
          name: string;
          kind: "chain" | "pin" | "department";
          department: string;
          state: string;
        };
        awards: number;
        firstKnownOn: string | null;
        lastKnownOn: string | null;
        isOld: boolean;
        bidders: {
          isShown: true;
          basis: "office" | "department";
          awards: number;
          officeAwards: number | null;
          low: number;
          high: number;
          coverage: {
            count: number;
            of: number;
          } | null;
        } | {
          isShown: false;
          reason: "too-few" | "too-wide" | "past-ranges-wrong" | "rates-changed";
          officeAwards: number | null;
          changedOn: string | null;
        };
        price: {
          isShown: true;
          basis: "office" | "department";
          awards: number;
          officeAwards: number | null;
          low: number;
          high: number;
          coverage: {
            count: number;
            of: number;
          } | null;
        } | {
          isShown: false;
          reason: "too-few" | "too-wide" | "past-ranges-wrong" | "rates-changed";
          officeAwards: number | null;
          changedOn: string | null;
        };
        daysToContract: {
          isShown: true;
          basis: "office" | "department";
          awards: number;
          officeAwards: number | null;
          low: number;
          high: number;
          coverage: {
            count: number;
            of: number;
          } | null;
        } | {
          isShown: false;
          reason: "too-few" | "too-wide" | "past-ranges-wrong" | "rates-changed";
          officeAwards: number | null;
          changedOn: string | null;
        };
        refused: {
          count: number;
          of: number;
          technical: number;
          notAdmitted: number;
          isMoreThanUsual: boolean;
        } | null;
        singleBid: {
          count: number;
          of: number;
        } | null;
        masses: ({
          price: number;
          count: number;
          of: number;
        })[];
        lateBids: {
          count: number;
          of: number;
        } | null;
        computedOn: string;
        isDemonstration: boolean;
      };
      quarters: ({
        quarter: string;
        awards: number;
        bidders: number | null;
        price: number | null;
        daysToContract: number | null;
      })[];
      newest: ({
        id: string;
        title: string;
        state: string;
        department: string | null;
        officeId: string | null;
        category: string | null;
        estimate: number | null;
        awardedValue: number | null;
        price: number | null;
        bidders: number;
        publishedOn: string | null;
        closesOn: string | null;
        contractOn: string | null;
        knownOn: string | null;
        tenderId: string | null;
        isDemonstration: boolean;
      })[];
      companies: ({
        name: string;
        awards: number;
      })[];
      regimes: ({
        department: string | null;
        from: string;
        rule: string | null;
        source: string | null;
      })[];
      portals: (string)[];
    };
  };
  "/api/awards/offices/{id}.csv": {
    path: { id: string };
    query: Record<never, never>;
    answer: string;
  };
  "/api/awards/packs/{state}": {
    path: { state: string };
    query: Record<never, never>;
    answer: {
      state: string;
      version: string;
      offices: number;
      columns: Record<string, (unknown)[]>;
    };
  };
  "/api/awards/packs/{state}/works": {
    path: { state: string };
    query: Record<never, never>;
    answer: {
      state: string;
      version: string;
      offices: (string)[];
      works: {
        office: (number)[];
        id: (string)[];
        tenderId: (string | null)[];
        title: (string)[];
        estimate: (number)[];
        price: (number | null)[];
        knownOn: (string | null)[];
      };
    };
  };
  "/api/awards/states/{state}": {
    path: { state: string };
    query: { department?: string | undefined; district?: string | undefined; category?: string | undefined; band?: "" | "up-to-5-lakh" | "5-to-25-lakh" | "25-lakh-to-1-crore" | "over-1-crore" | undefined };
    answer: {
      state: string;
      filter: {
        department?: string | undefined;
        district?: string | undefined;
        category?: string | undefined;
        band?: "" | "up-to-5-lakh" | "5-to-25-lakh" | "25-lakh-to-1-crore" | "over-1-crore" | undefined;
      };
      group: {
        awards: number;
        firstKnownOn: string | null;
        lastKnownOn: string | null;
        isOld: boolean;
        bidders: {
          isShown: true;
          basis: "office" | "department";
          awards: number;
          officeAwards: number | null;
          low: number;
          high: number;
          coverage: {
            count: number;
            of: number;
          } | null;
        } | {
          isShown: false;
          reason: "too-few" | "too-wide" | "past-ranges-wrong" | "rates-changed";
          officeAwards: number | null;
          changedOn: string | null;
        };
        price: {
          isShown: true;
          basis: "office" | "department";
          awards: number;
          officeAwards: number | null;
          low: number;
          high: number;
          coverage: {
            count: number;
            of: number;
          } | null;
        } | {
          isShown: false;
          reason: "too-few" | "too-wide" | "past-ranges-wrong" | "rates-changed";
          officeAwards: number | null;
          changedOn: string | null;
        };
        daysToContract: {
          isShown: true;
          basis: "office" | "department";
          awards: number;
          officeAwards: number | null;
          low: number;
          high: number;
          coverage: {
            count: number;
            of: number;
          } | null;
        } | {
          isShown: false;
          reason: "too-few" | "too-wide" | "past-ranges-wrong" | "rates-changed";
          officeAwards: number | null;
          changedOn: string | null;
        };
        refused: {
          count: number;
          of: number;
          technical: number;
          notAdmitted: number;
        } | null;
        singleBid: {
          count: number;
          of: number;
        } | null;
      };
      quarters: ({
        quarter: string;
        awards: number;
        bidders: number | null;
        price: number | null;
        daysToContract: number | null;
      })[];
      departments: ({
        name: string;
        awards: number;
      })[];
      districts: ({
        name: string;
        awards: number;
      })[];
      categories: ({
        name: string;
        awards: number;
      })[];
      offices: ({
        id: string;
        key: string;
        name: string;
        kind: "chain" | "pin" | "department";
        department: string;
        state: string;
        awards: number;
        lastKnownOn: string | null;
      })[];
      regimes: ({
        department: string | null;
        from: string;
        rule: string | null;
        source: string | null;
      })[];
      coverage: ({
        statistic: "bidders" | "price" | "daysToContract";
        covered: number;
        of: number;
        isTooLow: boolean;
      })[];
      portals: (string)[];
      computedOn: string;
      isDemonstration: boolean;
      counts: {
        stored: number;
        recent: number;
        older: number;
        newer: number;
        excluded: number;
        lists: {
          departments: {
            of: number;
            unnamed: number;
          };
          districts: {
            of: number;
            unnamed: number;
          };
          categories: {
            of: number;
            unnamed: number;
          };
        };
      } | null;
    };
  };
  "/api/awards/states/{state}.csv": {
    path: { state: string };
    query: { department?: string | undefined; district?: string | undefined; category?: string | undefined; band?: "" | "up-to-5-lakh" | "5-to-25-lakh" | "25-lakh-to-1-crore" | "over-1-crore" | undefined };
    answer: string;
  };
  "/api/awards/{id}": {
    path: { id: string };
    query: Record<never, never>;
    answer: {
      award: {
        id: string;
        title: string;
        state: string;
        department: string | null;
        officeId: string | null;
        category: string | null;
        estimate: number | null;
        awardedValue: number | null;
        price: number | null;
        bidders: number;
        publishedOn: string | null;
        closesOn: string | null;
        contractOn: string | null;
        knownOn: string | null;
        tenderId: string | null;
        isDemonstration: boolean;
        office: {
          id: string;
          key: string;
          name: string;
          kind: "chain" | "pin" | "department";
          department: string;
          state: string;
        } | null;
        sourceTenderId: string;
        portal: string;
        winner: {
          name: string;
          isCompany: boolean;
        } | null;
        bids: {
          accepted: number;
          refusedTechnical: number;
          notAdmitted: number;
          other: number;
        };
        exclusion: "no-organisation" | "not-awarded" | "bids-unknown" | "no-dates" | "published-after-closing" | "awarded-before-closing" | "open-too-long" | "no-estimate" | "no-value" | "several-winners" | "value-too-small" | "estimate-too-small" | "value-far-from-estimate" | "other-currency" | null;
        importedAt: string;
      };
    };
  };
  "/api/facets": {
    path: Record<never, never>;
    query: { state?: string | undefined; district?: string | (string)[] | undefined; department?: string | (string)[] | undefined; q?: string | undefined; literal?: "place" | "conditions" | "words" | "all" | undefined; min?: string | undefined; max?: string | undefined; within?: string | undefined; category?: "Works" | "Goods" | "Services" | undefined; hour?: string | undefined; published_within?: string | undefined; open?: "0" | "1" | undefined; sort?: "relevance" | "price" | "closing_date" | "published_date" | undefined; order?: "asc" | "desc" | undefined; notices?: "0" | "1" | undefined; page?: string | undefined; limit?: string | undefined };
    answer: {
      districts: Record<string, number>;
      departments: Record<string, number>;
    };
  };
  "/api/ocds/dumps": {
    path: Record<never, never>;
    query: Record<never, never>;
    answer: {
      attribution: string | null;
      license: string | null;
      dumps: ({
        state: string;
        slug: string;
        year: number;
        url: string;
        bytes: number;
        sha256: string;
        records: number;
        madeAt: string;
      })[];
    };
  };
  "/api/ocds/dumps/{name}": {
    path: { name: string };
    query: Record<never, never>;
    answer: string;
  };
  "/api/ocds/records": {
    path: Record<never, never>;
    query: { state?: string | undefined; year?: string | undefined; since?: string | undefined; after?: string | undefined };
    answer: {
      uri: string;
      version: "1.1";
      publishedDate: string;
      publisher: {
        name: string;
      };
      releases?: ({
        ocid: string;
        id: string;
        date: string;
      })[] | undefined;
      records?: ({
        ocid: string;
      })[] | undefined;
      links?: {
        next?: string | undefined;
      } | undefined;
    };
  };
  "/api/ocds/releases": {
    path: Record<never, never>;
    query: { state?: string | undefined; year?: string | undefined; since?: string | undefined; after?: string | undefined };
    answer: {
      uri: string;
      version: "1.1";
      publishedDate: string;
      publisher: {
        name: string;
      };
      releases?: ({
        ocid: string;
        id: string;
        date: string;
      })[] | undefined;
      records?: ({
        ocid: string;
      })[] | undefined;
      links?: {
        next?: string | undefined;
      } | undefined;
    };
  };
  "/api/regions": {
    path: Record<never, never>;
    query: Record<never, never>;
    answer: {
      states: ({
        state: string;
        slug: string;
        open: number;
        demonstration: boolean;
        closing?: ((number)[])[] | undefined;
        fresh?: number | undefined;
      })[];
      day: number;
      fetched_at: string | null;
    };
  };
  "/api/tenders": {
    path: Record<never, never>;
    query: { state?: string | undefined; district?: string | (string)[] | undefined; department?: string | (string)[] | undefined; q?: string | undefined; literal?: "place" | "conditions" | "words" | "all" | undefined; min?: string | undefined; max?: string | undefined; within?: string | undefined; category?: "Works" | "Goods" | "Services" | undefined; hour?: string | undefined; published_within?: string | undefined; open?: "0" | "1" | undefined; sort?: "relevance" | "price" | "closing_date" | "published_date" | undefined; order?: "asc" | "desc" | undefined; notices?: "0" | "1" | undefined; page?: string | undefined; limit?: string | undefined };
    answer: {
      tenders: ({
        _id: string;
        title: string;
        description: string;
        org_name: string;
        department: string | null;
        category: string | null;
        status: "upcoming" | "active" | "closed" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        stage: "published" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        state: string;
        district: string | null;
        second_district: string | null;
        pincode: string | null;
        address: string | null;
        bid_opening_place: string | null;
        price: number | null;
        price_text: string | null;
        emd: string | null;
        published_date: string;
        bid_start_date: string | null;
        closing_date: string;
        closing_time_known: boolean;
        source_portal: string;
        source_tender_id: string;
        reference_number: string | null;
        nit_works: number;
        last_corrigendum: "date" | "other" | null;
        fetched_at: string;
        is_listed?: boolean | undefined;
        demonstration: boolean;
        matches?: "all" | "most" | undefined;
        works?: (string)[] | undefined;
      })[];
      data: ({
        _id: string;
        title: string;
        description: string;
        org_name: string;
        department: string | null;
        category: string | null;
        status: "upcoming" | "active" | "closed" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        stage: "published" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        state: string;
        district: string | null;
        second_district: string | null;
        pincode: string | null;
        address: string | null;
        bid_opening_place: string | null;
        price: number | null;
        price_text: string | null;
        emd: string | null;
        published_date: string;
        bid_start_date: string | null;
        closing_date: string;
        closing_time_known: boolean;
        source_portal: string;
        source_tender_id: string;
        reference_number: string | null;
        nit_works: number;
        last_corrigendum: "date" | "other" | null;
        fetched_at: string;
        is_listed?: boolean | undefined;
        demonstration: boolean;
        matches?: "all" | "most" | undefined;
        works?: (string)[] | undefined;
      })[];
      total: number;
      has_more?: boolean | undefined;
      total_full: number;
      notices?: number | undefined;
      before?: number | undefined;
      page: number;
      limit: number | null;
      filter: {
        state: string | null;
        district: string | null;
        department: string | null;
        districts: (string)[];
        departments: (string)[];
        q: string | null;
      };
      place: {
        state: string | null;
        districts: ({
          state: string;
          district: string;
        })[];
        text: string;
        rest: string;
      } | null;
      conditions: ({
        kind: string;
        label: string;
        facts?: {
          from: number | null;
          to: number | null;
          names: ({
            text: string;
            isPlace: boolean;
          })[];
        } | undefined;
        text: string;
        rest: string;
      })[];
      showing_for: string | null;
      words: ({
        typed: string;
        alternatives: (string)[];
      })[];
      nearest?: ({
        kind: "state" | "anywhere" | "filters" | "closed" | "words";
        name: string;
        query: string;
        total: number;
      })[] | undefined;
      states?: ({
        state: string;
        slug: string;
        open: number;
      })[] | undefined;
      demonstration: boolean;
      index_incomplete?: boolean | undefined;
    };
  };
  "/api/tenders/listed": {
    path: Record<never, never>;
    query: { ids: string };
    answer: {
      tenders: ({
        _id: string;
        title: string;
        description: string;
        org_name: string;
        department: string | null;
        category: string | null;
        status: "upcoming" | "active" | "closed" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        stage: "published" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        state: string;
        district: string | null;
        second_district: string | null;
        pincode: string | null;
        address: string | null;
        bid_opening_place: string | null;
        price: number | null;
        price_text: string | null;
        emd: string | null;
        published_date: string;
        bid_start_date: string | null;
        closing_date: string;
        closing_time_known: boolean;
        source_portal: string;
        source_tender_id: string;
        reference_number: string | null;
        nit_works: number;
        last_corrigendum: "date" | "other" | null;
        fetched_at: string;
        is_listed?: boolean | undefined;
        demonstration: boolean;
      })[];
    };
  };
  "/api/tenders/search": {
    path: Record<never, never>;
    query: { state?: string | undefined; district?: string | (string)[] | undefined; department?: string | (string)[] | undefined; q?: string | undefined; literal?: "place" | "conditions" | "words" | "all" | undefined; min?: string | undefined; max?: string | undefined; within?: string | undefined; category?: "Works" | "Goods" | "Services" | undefined; hour?: string | undefined; published_within?: string | undefined; open?: "0" | "1" | undefined; sort?: "relevance" | "price" | "closing_date" | "published_date" | undefined; order?: "asc" | "desc" | undefined; notices?: "0" | "1" | undefined; page?: string | undefined; limit?: string | undefined };
    answer: {
      tenders: ({
        _id: string;
        title: string;
        description: string;
        org_name: string;
        department: string | null;
        category: string | null;
        status: "upcoming" | "active" | "closed" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        stage: "published" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        state: string;
        district: string | null;
        second_district: string | null;
        pincode: string | null;
        address: string | null;
        bid_opening_place: string | null;
        price: number | null;
        price_text: string | null;
        emd: string | null;
        published_date: string;
        bid_start_date: string | null;
        closing_date: string;
        closing_time_known: boolean;
        source_portal: string;
        source_tender_id: string;
        reference_number: string | null;
        nit_works: number;
        last_corrigendum: "date" | "other" | null;
        fetched_at: string;
        is_listed?: boolean | undefined;
        demonstration: boolean;
        matches?: "all" | "most" | undefined;
        works?: (string)[] | undefined;
      })[];
      data: ({
        _id: string;
        title: string;
        description: string;
        org_name: string;
        department: string | null;
        category: string | null;
        status: "upcoming" | "active" | "closed" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        stage: "published" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        state: string;
        district: string | null;
        second_district: string | null;
        pincode: string | null;
        address: string | null;
        bid_opening_place: string | null;
        price: number | null;
        price_text: string | null;
        emd: string | null;
        published_date: string;
        bid_start_date: string | null;
        closing_date: string;
        closing_time_known: boolean;
        source_portal: string;
        source_tender_id: string;
        reference_number: string | null;
        nit_works: number;
        last_corrigendum: "date" | "other" | null;
        fetched_at: string;
        is_listed?: boolean | undefined;
        demonstration: boolean;
        matches?: "all" | "most" | undefined;
        works?: (string)[] | undefined;
      })[];
      total: number;
      has_more?: boolean | undefined;
      total_full: number;
      notices?: number | undefined;
      before?: number | undefined;
      page: number;
      limit: number | null;
      filter: {
        state: string | null;
        district: string | null;
        department: string | null;
        districts: (string)[];
        departments: (string)[];
        q: string | null;
      };
      place: {
        state: string | null;
        districts: ({
          state: string;
          district: string;
        })[];
        text: string;
        rest: string;
      } | null;
      conditions: ({
        kind: string;
        label: string;
        facts?: {
          from: number | null;
          to: number | null;
          names: ({
            text: string;
            isPlace: boolean;
          })[];
        } | undefined;
        text: string;
        rest: string;
      })[];
      showing_for: string | null;
      words: ({
        typed: string;
        alternatives: (string)[];
      })[];
      nearest?: ({
        kind: "state" | "anywhere" | "filters" | "closed" | "words";
        name: string;
        query: string;
        total: number;
      })[] | undefined;
      states?: ({
        state: string;
        slug: string;
        open: number;
      })[] | undefined;
      demonstration: boolean;
      index_incomplete?: boolean | undefined;
    };
  };
  "/api/tenders/{id}": {
    path: { id: string };
    query: Record<never, never>;
    answer: {
      tender: {
        address: string | null;
        place: string | null;
        pincode: string | null;
        sub_category: string | null;
        tender_type: string | null;
        form_of_contract: string | null;
        period_of_work_days: number | null;
        bid_validity_days: number | null;
        covers: number | null;
        tender_fee: string | null;
        emd_percent: number | null;
        emd_exemption_allowed: boolean | null;
        pre_bid_place: string | null;
        bid_opening_place: string | null;
        contact_designation: string | null;
        _id: string;
        title: string;
        description: string;
        org_name: string;
        department: string | null;
        category: string | null;
        status: "upcoming" | "active" | "closed" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        stage: "published" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        state: string;
        district: string | null;
        second_district: string | null;
        price: number | null;
        price_text: string | null;
        emd: string | null;
        published_date: string;
        bid_start_date: string | null;
        closing_date: string;
        closing_time_known: boolean;
        source_portal: string;
        source_tender_id: string;
        reference_number: string | null;
        nit_works: number;
        last_corrigendum: "date" | "other" | null;
        fetched_at: string;
        is_listed?: boolean | undefined;
        demonstration: boolean;
        nit_id: string | null;
        organisation_chain: (string)[];
        opening_date: string | null;
        pre_bid_date: string | null;
        documents: ({
          cover: string;
          type: string;
          name: string;
        })[];
        document_package: {
          kind: "nit" | "nit-boq";
          works: number;
        } | null;
        nit_siblings: ({
          _id: string;
          title: string;
          source_tender_id: string;
        })[];
        corrigenda: ({
          title: string;
          type: string | null;
          noticed_at: string;
          changes: ({
            field: "closing_date" | "opening_date" | "bid_start_date" | "price" | "emd" | "documents";
            old: string | null;
            new: string | null;
          })[];
        })[];
        other_sources: ({
          portal: string;
          closing_date: string;
          closing_time_known: boolean;
          stage: "published" | "under_evaluation" | "awarded" | "cancelled" | "retendered";
        })[];
        district_confidence: number | null;
        version: number;
        updated_at: string;
      };
    };
  };
  "/api/tenders/{id}.ics": {
    path: { id: string };
    query: Record<never, never>;
    answer: string;
  };
  "/feeds/tenders.atom": {
    path: Record<never, never>;
    query: { state?: string | undefined; district?: string | (string)[] | undefined; department?: string | (string)[] | undefined; q?: string | undefined; literal?: "place" | "conditions" | "words" | "all" | undefined; min?: string | undefined; max?: string | undefined; within?: string | undefined; category?: "Works" | "Goods" | "Services" | undefined; hour?: string | undefined; published_within?: string | undefined; open?: "0" | "1" | undefined; sort?: "relevance" | "price" | "closing_date" | "published_date" | undefined; order?: "asc" | "desc" | undefined; notices?: "0" | "1" | undefined; page?: string | undefined; limit?: string | undefined; lang?: string | undefined };
    answer: string;
  };
  "/feeds/tenders.csv": {
    path: Record<never, never>;
    query: { state?: string | undefined; district?: string | (string)[] | undefined; department?: string | (string)[] | undefined; q?: string | undefined; literal?: "place" | "conditions" | "words" | "all" | undefined; min?: string | undefined; max?: string | undefined; within?: string | undefined; category?: "Works" | "Goods" | "Services" | undefined; hour?: string | undefined; published_within?: string | undefined; open?: "0" | "1" | undefined; sort?: "relevance" | "price" | "closing_date" | "published_date" | undefined; order?: "asc" | "desc" | undefined; notices?: "0" | "1" | undefined; page?: string | undefined; limit?: string | undefined; lang?: string | undefined };
    answer: string;
  };
  "/feeds/tenders.ics": {
    path: Record<never, never>;
    query: { state?: string | undefined; district?: string | (string)[] | undefined; department?: string | (string)[] | undefined; q?: string | undefined; literal?: "place" | "conditions" | "words" | "all" | undefined; min?: string | undefined; max?: string | undefined; within?: string | undefined; category?: "Works" | "Goods" | "Services" | undefined; hour?: string | undefined; published_within?: string | undefined; open?: "0" | "1" | undefined; sort?: "relevance" | "price" | "closing_date" | "published_date" | undefined; order?: "asc" | "desc" | undefined; notices?: "0" | "1" | undefined; page?: string | undefined; limit?: string | undefined; lang?: string | undefined };
    answer: string;
  };
}
