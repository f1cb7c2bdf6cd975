; ModuleID = 'sha256.c'
source_filename = "sha256.c"
target datalayout = "e-m:o-p:16:16-p1:16:16-p2:32:16-p3:32:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"
target triple = "rl78-unknown-unknown-elf"

%struct.sha256_context = type { i8, i8, [8 x i32], i64, [64 x i8] }

@initial_hash = internal constant [8 x i32] [i32 1779033703, i32 -1150833019, i32 1013904242, i32 -1521486534, i32 1359893119, i32 -1694144372, i32 528734635, i32 1541459225], align 2
@round_constant = internal constant [64 x i32] [i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723, i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075, i32 -670586216, i32 310598401, i32 607225278, i32 1426881987, i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716, i32 -459576895, i32 -272742522, i32 264347078, i32 604807628, i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986, i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625, i32 -958395405, i32 -710438585, i32 113926993, i32 338241895, i32 666307205, i32 773529912, i32 1294757372, i32 1396182291, i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259, i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525, i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344, i32 430227734, i32 506948616, i32 659060556, i32 883997877, i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779, i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872, i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998], align 2

; Function Attrs: noinline nounwind optnone
define dso_local void @sha256_init(ptr noundef %0) #0 {
  %2 = alloca ptr, align 2
  %3 = alloca i16, align 2
  store ptr %0, ptr %2, align 2
  %4 = load ptr, ptr %2, align 2
  %5 = getelementptr inbounds %struct.sha256_context, ptr %4, i32 0, i32 0
  %6 = load volatile i8, ptr %5, align 2
  %7 = zext i8 %6 to i16
  %8 = and i16 %7, 253
  %9 = trunc i16 %8 to i8
  store volatile i8 %9, ptr %5, align 2
  %10 = load ptr, ptr %2, align 2
  %11 = getelementptr inbounds %struct.sha256_context, ptr %10, i32 0, i32 0
  %12 = load volatile i8, ptr %11, align 2
  %13 = zext i8 %12 to i16
  %14 = and i16 %13, 127
  %15 = trunc i16 %14 to i8
  store volatile i8 %15, ptr %11, align 2
  %16 = load ptr, ptr %2, align 2
  %17 = getelementptr inbounds %struct.sha256_context, ptr %16, i32 0, i32 1
  store i8 0, ptr %17, align 1
  %18 = load ptr, ptr %2, align 2
  %19 = getelementptr inbounds %struct.sha256_context, ptr %18, i32 0, i32 3
  store i64 0, ptr %19, align 2
  store i16 0, ptr %3, align 2
  br label %20

20:                                               ; preds = %31, %1
  %21 = load i16, ptr %3, align 2
  %22 = icmp ult i16 %21, 8
  br i1 %22, label %23, label %34

23:                                               ; preds = %20
  %24 = load i16, ptr %3, align 2
  %25 = getelementptr inbounds [8 x i32], ptr @initial_hash, i16 0, i16 %24
  %26 = load i32, ptr %25, align 2
  %27 = load ptr, ptr %2, align 2
  %28 = getelementptr inbounds %struct.sha256_context, ptr %27, i32 0, i32 2
  %29 = load i16, ptr %3, align 2
  %30 = getelementptr inbounds [8 x i32], ptr %28, i16 0, i16 %29
  store i32 %26, ptr %30, align 2
  br label %31

31:                                               ; preds = %23
  %32 = load i16, ptr %3, align 2
  %33 = add i16 %32, 1
  store i16 %33, ptr %3, align 2
  br label %20

34:                                               ; preds = %20
  %35 = load ptr, ptr %2, align 2
  %36 = getelementptr inbounds %struct.sha256_context, ptr %35, i32 0, i32 0
  %37 = load volatile i8, ptr %36, align 2
  %38 = zext i8 %37 to i16
  %39 = or i16 %38, 1
  %40 = trunc i16 %39 to i8
  store volatile i8 %40, ptr %36, align 2
  ret void
}

; Function Attrs: noinline nounwind optnone
define dso_local void @sha256_update(ptr noundef %0, ptr noundef %1, i16 noundef %2) #0 {
  %4 = alloca ptr, align 2
  %5 = alloca ptr, align 2
  %6 = alloca i16, align 2
  store ptr %0, ptr %4, align 2
  store ptr %1, ptr %5, align 2
  store i16 %2, ptr %6, align 2
  %7 = load ptr, ptr %4, align 2
  %8 = getelementptr inbounds %struct.sha256_context, ptr %7, i32 0, i32 0
  %9 = load volatile i8, ptr %8, align 2
  %10 = zext i8 %9 to i16
  %11 = and i16 %10, 1
  %12 = icmp ne i16 %11, 0
  br i1 %12, label %20, label %13

13:                                               ; preds = %3
  %14 = load ptr, ptr %4, align 2
  %15 = getelementptr inbounds %struct.sha256_context, ptr %14, i32 0, i32 0
  %16 = load volatile i8, ptr %15, align 2
  %17 = zext i8 %16 to i16
  %18 = or i16 %17, 128
  %19 = trunc i16 %18 to i8
  store volatile i8 %19, ptr %15, align 2
  br label %36

20:                                               ; preds = %3
  %21 = load i16, ptr %6, align 2
  %22 = zext i16 %21 to i64
  %23 = load ptr, ptr %4, align 2
  %24 = getelementptr inbounds %struct.sha256_context, ptr %23, i32 0, i32 3
  %25 = load i64, ptr %24, align 2
  %26 = add i64 %25, %22
  store i64 %26, ptr %24, align 2
  br label %27

27:                                               ; preds = %31, %20
  %28 = load i16, ptr %6, align 2
  %29 = add i16 %28, -1
  store i16 %29, ptr %6, align 2
  %30 = icmp ne i16 %28, 0
  br i1 %30, label %31, label %36

31:                                               ; preds = %27
  %32 = load ptr, ptr %4, align 2
  %33 = load ptr, ptr %5, align 2
  %34 = getelementptr inbounds i8, ptr %33, i32 1
  store ptr %34, ptr %5, align 2
  %35 = load i8, ptr %33, align 1
  call void @append(ptr noundef %32, i8 noundef zeroext %35) #1
  br label %27

36:                                               ; preds = %13, %27
  ret void
}

; Function Attrs: noinline nounwind optnone
define internal void @append(ptr noundef %0, i8 noundef zeroext %1) #0 {
  %3 = alloca ptr, align 2
  %4 = alloca i8, align 1
  store ptr %0, ptr %3, align 2
  store i8 %1, ptr %4, align 1
  %5 = load i8, ptr %4, align 1
  %6 = load ptr, ptr %3, align 2
  %7 = getelementptr inbounds %struct.sha256_context, ptr %6, i32 0, i32 4
  %8 = load ptr, ptr %3, align 2
  %9 = getelementptr inbounds %struct.sha256_context, ptr %8, i32 0, i32 1
  %10 = load i8, ptr %9, align 1
  %11 = add i8 %10, 1
  store i8 %11, ptr %9, align 1
  %12 = zext i8 %10 to i16
  %13 = getelementptr inbounds [64 x i8], ptr %7, i16 0, i16 %12
  store i8 %5, ptr %13, align 1
  %14 = load ptr, ptr %3, align 2
  %15 = getelementptr inbounds %struct.sha256_context, ptr %14, i32 0, i32 1
  %16 = load i8, ptr %15, align 1
  %17 = zext i8 %16 to i16
  %18 = icmp eq i16 %17, 64
  br i1 %18, label %19, label %28

19:                                               ; preds = %2
  %20 = load ptr, ptr %3, align 2
  %21 = getelementptr inbounds %struct.sha256_context, ptr %20, i32 0, i32 2
  %22 = getelementptr inbounds [8 x i32], ptr %21, i16 0, i16 0
  %23 = load ptr, ptr %3, align 2
  %24 = getelementptr inbounds %struct.sha256_context, ptr %23, i32 0, i32 4
  %25 = getelementptr inbounds [64 x i8], ptr %24, i16 0, i16 0
  call void @compress(ptr noundef %22, ptr noundef %25) #1
  %26 = load ptr, ptr %3, align 2
  %27 = getelementptr inbounds %struct.sha256_context, ptr %26, i32 0, i32 1
  store i8 0, ptr %27, align 1
  br label %28

28:                                               ; preds = %19, %2
  ret void
}

; Function Attrs: noinline nounwind optnone
define dso_local void @sha256_final(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 2
  %4 = alloca ptr, align 2
  %5 = alloca i64, align 2
  %6 = alloca i16, align 2
  %7 = alloca i16, align 2
  store ptr %0, ptr %3, align 2
  store ptr %1, ptr %4, align 2
  %8 = load ptr, ptr %3, align 2
  %9 = getelementptr inbounds %struct.sha256_context, ptr %8, i32 0, i32 3
  %10 = load i64, ptr %9, align 2
  %11 = shl i64 %10, 3
  store i64 %11, ptr %5, align 2
  %12 = load ptr, ptr %3, align 2
  call void @append(ptr noundef %12, i8 noundef zeroext -128) #1
  br label %13

13:                                               ; preds = %19, %2
  %14 = load ptr, ptr %3, align 2
  %15 = getelementptr inbounds %struct.sha256_context, ptr %14, i32 0, i32 1
  %16 = load i8, ptr %15, align 1
  %17 = zext i8 %16 to i16
  %18 = icmp ne i16 %17, 56
  br i1 %18, label %19, label %21

19:                                               ; preds = %13
  %20 = load ptr, ptr %3, align 2
  call void @append(ptr noundef %20, i8 noundef zeroext 0) #1
  br label %13

21:                                               ; preds = %13
  store i16 0, ptr %6, align 2
  br label %22

22:                                               ; preds = %34, %21
  %23 = load i16, ptr %6, align 2
  %24 = icmp ult i16 %23, 8
  br i1 %24, label %25, label %37

25:                                               ; preds = %22
  %26 = load ptr, ptr %3, align 2
  %27 = load i64, ptr %5, align 2
  %28 = load i16, ptr %6, align 2
  %29 = mul i16 8, %28
  %30 = sub i16 56, %29
  %31 = zext i16 %30 to i64
  %32 = lshr i64 %27, %31
  %33 = trunc i64 %32 to i8
  call void @append(ptr noundef %26, i8 noundef zeroext %33) #1
  br label %34

34:                                               ; preds = %25
  %35 = load i16, ptr %6, align 2
  %36 = add i16 %35, 1
  store i16 %36, ptr %6, align 2
  br label %22

37:                                               ; preds = %22
  store i16 0, ptr %7, align 2
  br label %38

38:                                               ; preds = %51, %37
  %39 = load i16, ptr %7, align 2
  %40 = icmp ult i16 %39, 8
  br i1 %40, label %41, label %54

41:                                               ; preds = %38
  %42 = load ptr, ptr %4, align 2
  %43 = load i16, ptr %7, align 2
  %44 = mul i16 4, %43
  %45 = getelementptr inbounds i8, ptr %42, i16 %44
  %46 = load ptr, ptr %3, align 2
  %47 = getelementptr inbounds %struct.sha256_context, ptr %46, i32 0, i32 2
  %48 = load i16, ptr %7, align 2
  %49 = getelementptr inbounds [8 x i32], ptr %47, i16 0, i16 %48
  %50 = load i32, ptr %49, align 2
  call void @store_word(ptr noundef %45, i32 noundef %50) #1
  br label %51

51:                                               ; preds = %41
  %52 = load i16, ptr %7, align 2
  %53 = add i16 %52, 1
  store i16 %53, ptr %7, align 2
  br label %38

54:                                               ; preds = %38
  %55 = load ptr, ptr %3, align 2
  %56 = getelementptr inbounds %struct.sha256_context, ptr %55, i32 0, i32 0
  %57 = load volatile i8, ptr %56, align 2
  %58 = zext i8 %57 to i16
  %59 = and i16 %58, 254
  %60 = trunc i16 %59 to i8
  store volatile i8 %60, ptr %56, align 2
  %61 = load ptr, ptr %3, align 2
  %62 = getelementptr inbounds %struct.sha256_context, ptr %61, i32 0, i32 0
  %63 = load volatile i8, ptr %62, align 2
  %64 = zext i8 %63 to i16
  %65 = or i16 %64, 2
  %66 = trunc i16 %65 to i8
  store volatile i8 %66, ptr %62, align 2
  ret void
}

; Function Attrs: noinline nounwind optnone
define internal void @store_word(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 2
  %4 = alloca i32, align 2
  store ptr %0, ptr %3, align 2
  store i32 %1, ptr %4, align 2
  %5 = load i32, ptr %4, align 2
  %6 = lshr i32 %5, 24
  %7 = trunc i32 %6 to i8
  %8 = load ptr, ptr %3, align 2
  %9 = getelementptr inbounds i8, ptr %8, i16 0
  store i8 %7, ptr %9, align 1
  %10 = load i32, ptr %4, align 2
  %11 = lshr i32 %10, 16
  %12 = trunc i32 %11 to i8
  %13 = load ptr, ptr %3, align 2
  %14 = getelementptr inbounds i8, ptr %13, i16 1
  store i8 %12, ptr %14, align 1
  %15 = load i32, ptr %4, align 2
  %16 = lshr i32 %15, 8
  %17 = trunc i32 %16 to i8
  %18 = load ptr, ptr %3, align 2
  %19 = getelementptr inbounds i8, ptr %18, i16 2
  store i8 %17, ptr %19, align 1
  %20 = load i32, ptr %4, align 2
  %21 = trunc i32 %20 to i8
  %22 = load ptr, ptr %3, align 2
  %23 = getelementptr inbounds i8, ptr %22, i16 3
  store i8 %21, ptr %23, align 1
  ret void
}

; Function Attrs: noinline nounwind optnone
define internal void @compress(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 2
  %4 = alloca ptr, align 2
  %5 = alloca [16 x i32], align 2
  %6 = alloca i32, align 2
  %7 = alloca i32, align 2
  %8 = alloca i32, align 2
  %9 = alloca i32, align 2
  %10 = alloca i32, align 2
  %11 = alloca i32, align 2
  %12 = alloca i32, align 2
  %13 = alloca i32, align 2
  %14 = alloca i16, align 2
  %15 = alloca ptr, align 2
  %16 = alloca i32, align 2
  %17 = alloca i32, align 2
  store ptr %0, ptr %3, align 2
  store ptr %1, ptr %4, align 2
  %18 = load ptr, ptr %3, align 2
  %19 = getelementptr inbounds i32, ptr %18, i16 0
  %20 = load i32, ptr %19, align 2
  store i32 %20, ptr %6, align 2
  %21 = load ptr, ptr %3, align 2
  %22 = getelementptr inbounds i32, ptr %21, i16 1
  %23 = load i32, ptr %22, align 2
  store i32 %23, ptr %7, align 2
  %24 = load ptr, ptr %3, align 2
  %25 = getelementptr inbounds i32, ptr %24, i16 2
  %26 = load i32, ptr %25, align 2
  store i32 %26, ptr %8, align 2
  %27 = load ptr, ptr %3, align 2
  %28 = getelementptr inbounds i32, ptr %27, i16 3
  %29 = load i32, ptr %28, align 2
  store i32 %29, ptr %9, align 2
  %30 = load ptr, ptr %3, align 2
  %31 = getelementptr inbounds i32, ptr %30, i16 4
  %32 = load i32, ptr %31, align 2
  store i32 %32, ptr %10, align 2
  %33 = load ptr, ptr %3, align 2
  %34 = getelementptr inbounds i32, ptr %33, i16 5
  %35 = load i32, ptr %34, align 2
  store i32 %35, ptr %11, align 2
  %36 = load ptr, ptr %3, align 2
  %37 = getelementptr inbounds i32, ptr %36, i16 6
  %38 = load i32, ptr %37, align 2
  store i32 %38, ptr %12, align 2
  %39 = load ptr, ptr %3, align 2
  %40 = getelementptr inbounds i32, ptr %39, i16 7
  %41 = load i32, ptr %40, align 2
  store i32 %41, ptr %13, align 2
  store i16 0, ptr %14, align 2
  br label %42

42:                                               ; preds = %117, %2
  %43 = load i16, ptr %14, align 2
  %44 = icmp ult i16 %43, 64
  br i1 %44, label %45, label %120

45:                                               ; preds = %42
  %46 = load i16, ptr %14, align 2
  %47 = and i16 %46, 15
  %48 = getelementptr inbounds [16 x i32], ptr %5, i16 0, i16 %47
  store ptr %48, ptr %15, align 2
  %49 = load i16, ptr %14, align 2
  %50 = icmp ult i16 %49, 16
  br i1 %50, label %51, label %58

51:                                               ; preds = %45
  %52 = load ptr, ptr %4, align 2
  %53 = load i16, ptr %14, align 2
  %54 = mul i16 4, %53
  %55 = getelementptr inbounds i8, ptr %52, i16 %54
  %56 = call i32 @load_word(ptr noundef %55) #1
  %57 = load ptr, ptr %15, align 2
  store i32 %56, ptr %57, align 2
  br label %81

58:                                               ; preds = %45
  %59 = load i16, ptr %14, align 2
  %60 = sub i16 %59, 2
  %61 = and i16 %60, 15
  %62 = getelementptr inbounds [16 x i32], ptr %5, i16 0, i16 %61
  %63 = load i32, ptr %62, align 2
  %64 = call i32 @small_sigma1(i32 noundef %63) #1
  %65 = load i16, ptr %14, align 2
  %66 = sub i16 %65, 7
  %67 = and i16 %66, 15
  %68 = getelementptr inbounds [16 x i32], ptr %5, i16 0, i16 %67
  %69 = load i32, ptr %68, align 2
  %70 = add i32 %64, %69
  %71 = load i16, ptr %14, align 2
  %72 = sub i16 %71, 15
  %73 = and i16 %72, 15
  %74 = getelementptr inbounds [16 x i32], ptr %5, i16 0, i16 %73
  %75 = load i32, ptr %74, align 2
  %76 = call i32 @small_sigma0(i32 noundef %75) #1
  %77 = add i32 %70, %76
  %78 = load ptr, ptr %15, align 2
  %79 = load i32, ptr %78, align 2
  %80 = add i32 %79, %77
  store i32 %80, ptr %78, align 2
  br label %81

81:                                               ; preds = %58, %51
  %82 = load i32, ptr %13, align 2
  %83 = load i32, ptr %10, align 2
  %84 = call i32 @big_sigma1(i32 noundef %83) #1
  %85 = add i32 %82, %84
  %86 = load i32, ptr %10, align 2
  %87 = load i32, ptr %11, align 2
  %88 = load i32, ptr %12, align 2
  %89 = call i32 @ch(i32 noundef %86, i32 noundef %87, i32 noundef %88) #1
  %90 = add i32 %85, %89
  %91 = load i16, ptr %14, align 2
  %92 = getelementptr inbounds [64 x i32], ptr @round_constant, i16 0, i16 %91
  %93 = load i32, ptr %92, align 2
  %94 = add i32 %90, %93
  %95 = load ptr, ptr %15, align 2
  %96 = load i32, ptr %95, align 2
  %97 = add i32 %94, %96
  store i32 %97, ptr %16, align 2
  %98 = load i32, ptr %6, align 2
  %99 = call i32 @big_sigma0(i32 noundef %98) #1
  %100 = load i32, ptr %6, align 2
  %101 = load i32, ptr %7, align 2
  %102 = load i32, ptr %8, align 2
  %103 = call i32 @maj(i32 noundef %100, i32 noundef %101, i32 noundef %102) #1
  %104 = add i32 %99, %103
  store i32 %104, ptr %17, align 2
  %105 = load i32, ptr %12, align 2
  store i32 %105, ptr %13, align 2
  %106 = load i32, ptr %11, align 2
  store i32 %106, ptr %12, align 2
  %107 = load i32, ptr %10, align 2
  store i32 %107, ptr %11, align 2
  %108 = load i32, ptr %9, align 2
  %109 = load i32, ptr %16, align 2
  %110 = add i32 %108, %109
  store i32 %110, ptr %10, align 2
  %111 = load i32, ptr %8, align 2
  store i32 %111, ptr %9, align 2
  %112 = load i32, ptr %7, align 2
  store i32 %112, ptr %8, align 2
  %113 = load i32, ptr %6, align 2
  store i32 %113, ptr %7, align 2
  %114 = load i32, ptr %16, align 2
  %115 = load i32, ptr %17, align 2
  %116 = add i32 %114, %115
  store i32 %116, ptr %6, align 2
  br label %117

117:                                              ; preds = %81
  %118 = load i16, ptr %14, align 2
  %119 = add i16 %118, 1
  store i16 %119, ptr %14, align 2
  br label %42

120:                                              ; preds = %42
  %121 = load i32, ptr %6, align 2
  %122 = load ptr, ptr %3, align 2
  %123 = getelementptr inbounds i32, ptr %122, i16 0
  %124 = load i32, ptr %123, align 2
  %125 = add i32 %124, %121
  store i32 %125, ptr %123, align 2
  %126 = load i32, ptr %7, align 2
  %127 = load ptr, ptr %3, align 2
  %128 = getelementptr inbounds i32, ptr %127, i16 1
  %129 = load i32, ptr %128, align 2
  %130 = add i32 %129, %126
  store i32 %130, ptr %128, align 2
  %131 = load i32, ptr %8, align 2
  %132 = load ptr, ptr %3, align 2
  %133 = getelementptr inbounds i32, ptr %132, i16 2
  %134 = load i32, ptr %133, align 2
  %135 = add i32 %134, %131
  store i32 %135, ptr %133, align 2
  %136 = load i32, ptr %9, align 2
  %137 = load ptr, ptr %3, align 2
  %138 = getelementptr inbounds i32, ptr %137, i16 3
  %139 = load i32, ptr %138, align 2
  %140 = add i32 %139, %136
  store i32 %140, ptr %138, align 2
  %141 = load i32, ptr %10, align 2
  %142 = load ptr, ptr %3, align 2
  %143 = getelementptr inbounds i32, ptr %142, i16 4
  %144 = load i32, ptr %143, align 2
  %145 = add i32 %144, %141
  store i32 %145, ptr %143, align 2
  %146 = load i32, ptr %11, align 2
  %147 = load ptr, ptr %3, align 2
  %148 = getelementptr inbounds i32, ptr %147, i16 5
  %149 = load i32, ptr %148, align 2
  %150 = add i32 %149, %146
  store i32 %150, ptr %148, align 2
  %151 = load i32, ptr %12, align 2
  %152 = load ptr, ptr %3, align 2
  %153 = getelementptr inbounds i32, ptr %152, i16 6
  %154 = load i32, ptr %153, align 2
  %155 = add i32 %154, %151
  store i32 %155, ptr %153, align 2
  %156 = load i32, ptr %13, align 2
  %157 = load ptr, ptr %3, align 2
  %158 = getelementptr inbounds i32, ptr %157, i16 7
  %159 = load i32, ptr %158, align 2
  %160 = add i32 %159, %156
  store i32 %160, ptr %158, align 2
  ret void
}

; Function Attrs: noinline nounwind optnone
define internal i32 @load_word(ptr noundef %0) #0 {
  %2 = alloca ptr, align 2
  store ptr %0, ptr %2, align 2
  %3 = load ptr, ptr %2, align 2
  %4 = getelementptr inbounds i8, ptr %3, i16 0
  %5 = load i8, ptr %4, align 1
  %6 = zext i8 %5 to i32
  %7 = shl i32 %6, 24
  %8 = load ptr, ptr %2, align 2
  %9 = getelementptr inbounds i8, ptr %8, i16 1
  %10 = load i8, ptr %9, align 1
  %11 = zext i8 %10 to i32
  %12 = shl i32 %11, 16
  %13 = or i32 %7, %12
  %14 = load ptr, ptr %2, align 2
  %15 = getelementptr inbounds i8, ptr %14, i16 2
  %16 = load i8, ptr %15, align 1
  %17 = zext i8 %16 to i32
  %18 = shl i32 %17, 8
  %19 = or i32 %13, %18
  %20 = load ptr, ptr %2, align 2
  %21 = getelementptr inbounds i8, ptr %20, i16 3
  %22 = load i8, ptr %21, align 1
  %23 = zext i8 %22 to i32
  %24 = or i32 %19, %23
  ret i32 %24
}

; Function Attrs: noinline nounwind optnone
define internal i32 @small_sigma1(i32 noundef %0) #0 {
  %2 = alloca i32, align 2
  store i32 %0, ptr %2, align 2
  %3 = load i32, ptr %2, align 2
  %4 = call i32 @rotate_right(i32 noundef %3, i16 noundef 17) #1
  %5 = load i32, ptr %2, align 2
  %6 = call i32 @rotate_right(i32 noundef %5, i16 noundef 19) #1
  %7 = xor i32 %4, %6
  %8 = load i32, ptr %2, align 2
  %9 = lshr i32 %8, 10
  %10 = xor i32 %7, %9
  ret i32 %10
}

; Function Attrs: noinline nounwind optnone
define internal i32 @small_sigma0(i32 noundef %0) #0 {
  %2 = alloca i32, align 2
  store i32 %0, ptr %2, align 2
  %3 = load i32, ptr %2, align 2
  %4 = call i32 @rotate_right(i32 noundef %3, i16 noundef 7) #1
  %5 = load i32, ptr %2, align 2
  %6 = call i32 @rotate_right(i32 noundef %5, i16 noundef 18) #1
  %7 = xor i32 %4, %6
  %8 = load i32, ptr %2, align 2
  %9 = lshr i32 %8, 3
  %10 = xor i32 %7, %9
  ret i32 %10
}

; Function Attrs: noinline nounwind optnone
define internal i32 @big_sigma1(i32 noundef %0) #0 {
  %2 = alloca i32, align 2
  store i32 %0, ptr %2, align 2
  %3 = load i32, ptr %2, align 2
  %4 = call i32 @rotate_right(i32 noundef %3, i16 noundef 6) #1
  %5 = load i32, ptr %2, align 2
  %6 = call i32 @rotate_right(i32 noundef %5, i16 noundef 11) #1
  %7 = xor i32 %4, %6
  %8 = load i32, ptr %2, align 2
  %9 = call i32 @rotate_right(i32 noundef %8, i16 noundef 25) #1
  %10 = xor i32 %7, %9
  ret i32 %10
}

; Function Attrs: noinline nounwind optnone
define internal i32 @ch(i32 noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 2
  %5 = alloca i32, align 2
  %6 = alloca i32, align 2
  store i32 %0, ptr %4, align 2
  store i32 %1, ptr %5, align 2
  store i32 %2, ptr %6, align 2
  %7 = load i32, ptr %4, align 2
  %8 = load i32, ptr %5, align 2
  %9 = and i32 %7, %8
  %10 = load i32, ptr %4, align 2
  %11 = xor i32 %10, -1
  %12 = load i32, ptr %6, align 2
  %13 = and i32 %11, %12
  %14 = xor i32 %9, %13
  ret i32 %14
}

; Function Attrs: noinline nounwind optnone
define internal i32 @big_sigma0(i32 noundef %0) #0 {
  %2 = alloca i32, align 2
  store i32 %0, ptr %2, align 2
  %3 = load i32, ptr %2, align 2
  %4 = call i32 @rotate_right(i32 noundef %3, i16 noundef 2) #1
  %5 = load i32, ptr %2, align 2
  %6 = call i32 @rotate_right(i32 noundef %5, i16 noundef 13) #1
  %7 = xor i32 %4, %6
  %8 = load i32, ptr %2, align 2
  %9 = call i32 @rotate_right(i32 noundef %8, i16 noundef 22) #1
  %10 = xor i32 %7, %9
  ret i32 %10
}

; Function Attrs: noinline nounwind optnone
define internal i32 @maj(i32 noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 2
  %5 = alloca i32, align 2
  %6 = alloca i32, align 2
  store i32 %0, ptr %4, align 2
  store i32 %1, ptr %5, align 2
  store i32 %2, ptr %6, align 2
  %7 = load i32, ptr %4, align 2
  %8 = load i32, ptr %5, align 2
  %9 = and i32 %7, %8
  %10 = load i32, ptr %4, align 2
  %11 = load i32, ptr %6, align 2
  %12 = and i32 %10, %11
  %13 = xor i32 %9, %12
  %14 = load i32, ptr %5, align 2
  %15 = load i32, ptr %6, align 2
  %16 = and i32 %14, %15
  %17 = xor i32 %13, %16
  ret i32 %17
}

; Function Attrs: noinline nounwind optnone
define internal i32 @rotate_right(i32 noundef %0, i16 noundef %1) #0 {
  %3 = alloca i32, align 2
  %4 = alloca i16, align 2
  store i32 %0, ptr %3, align 2
  store i16 %1, ptr %4, align 2
  %5 = load i32, ptr %3, align 2
  %6 = load i16, ptr %4, align 2
  %7 = zext i16 %6 to i32
  %8 = lshr i32 %5, %7
  %9 = load i32, ptr %3, align 2
  %10 = load i16, ptr %4, align 2
  %11 = sub i16 32, %10
  %12 = zext i16 %11 to i32
  %13 = shl i32 %9, %12
  %14 = or i32 %8, %13
  ret i32 %14
}

attributes #0 = { noinline nounwind optnone "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0}

!0 = !{i32 1, !"wchar_size", i32 2}
